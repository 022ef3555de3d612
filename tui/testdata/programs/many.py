fruits = [{'kind': 'apple', 'count': 3}, {'kind': 'pear', 'count': 9}, {'kind': 'fig', 'count': 0}, {'kind': 'plum'}]
(apple_1, apple_2, apple_3, apple_4, apple_5, apple_6, apple_7, apple_8, apple_9,
 pear_1, pear_2, pear_3, pear_4, pear_5, pear_6, pear_7, pear_8, pear_9,
 fig_1, fig_2, fig_3, fig_4, fig_5, fig_6, fig_7, fig_8, fig_9,
 plum_1, plum_2, plum_3, plum_4, plum_5, plum_6, plum_7, plum_8, plum_9,
 lemon_1, lemon_2, lemon_3, lemon_4, lemon_5, lemon_6, lemon_7, lemon_8, lemon_9) = range(45)
print(sum(range(45)))
print(len(fruits))

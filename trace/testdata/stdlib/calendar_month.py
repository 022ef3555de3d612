# calendar: generators over dates, classes with class-level lookups.
# user: calendar
import sys

sys.modules.pop("calendar", None)
import calendar

leap = calendar.isleap(2024)
days = calendar.monthrange(2024, 2)
weeks = calendar.monthcalendar(2023, 2)
text = calendar.TextCalendar(firstweekday=6).formatmonth(2023, 2)

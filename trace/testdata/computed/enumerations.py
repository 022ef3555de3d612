"""Classes whose metaclass shows them: of an enumeration the text is known, of one with the
program's own metaclass it is not."""

import enum


class Color(enum.Enum):
    RED = 1
    BLUE = [2]

    @classmethod
    def first(cls):
        return cls.RED


class Access(enum.Flag):
    READ = 1
    WRITE = 2

    @classmethod
    def all(cls):
        return cls.READ | cls.WRITE


class Named(type):
    def __repr__(cls):
        return "Named:" + cls.__name__


class Thing(metaclass=Named):
    pass


def kinds(color, access, others):
    one = color.first()
    two = access.all()
    others.append(one)
    return two, others


kinds(Color, Access, [Color, Access])

module github.com/npdb/npdb

go 1.26

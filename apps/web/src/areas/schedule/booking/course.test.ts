import { expect, test } from 'vitest'
import { type CourseWay, courseDays } from './course.ts'

test('days of a course: all, working ones, every other, one a week', () => {
  // A Friday.
  const days = (way: CourseWay) => courseDays('2026-11-27', 3, way).map((day) => day.slice(5))
  expect(days('day')).toEqual(['11-27', '11-28', '11-29'])
  expect(days('weekday')).toEqual(['11-27', '11-30', '12-01'])
  expect(days('second')).toEqual(['11-27', '11-29', '12-01'])
  expect(days('week')).toEqual(['11-27', '12-04', '12-11'])
  expect(courseDays('2026-11-27', 1_000, 'day')).toHaveLength(60)
})

import { expect, it } from 'vitest'
import { pathOf, treeOf, withSubgroups } from './groups.ts'

const group = (id: number, idParentGroup: number | null = null) => ({ id, idParentGroup, name: `${id}` })
const groups = [group(1), group(2, 1), group(3), group(4, 2), group(5, 1), group(6, 99)]

it('is shown as lines, each under its own', () => {
  expect(treeOf(groups).map(({ group: { id }, depth }) => [id, depth])).toEqual([
    [1, 0],
    [2, 1],
    [4, 2],
    [5, 1],
    [3, 0],
    [6, 0],
  ])
  expect(
    treeOf(groups)
      .find(({ group: { id } }) => id === 5)
      ?.beside.map(({ id }) => id),
  ).toEqual([2, 5])
})

it('finds what is under a group, and the path to it', () => {
  expect(withSubgroups(groups, 1).sort()).toEqual([1, 2, 4, 5])
  expect(withSubgroups(groups, 3)).toEqual([3])
  expect(pathOf(groups, groups[3] as (typeof groups)[number], ({ name }) => name)).toBe('1 / 2 / 4')
})

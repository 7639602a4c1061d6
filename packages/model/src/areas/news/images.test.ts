import { expect, it } from 'vitest'
import { groupImages, largestOf, smallestOf } from './images.ts'

const image = (id: number, key: string, size: 'small' | 'medium' | 'large', idExternal: string | null = null) => ({
  id,
  key,
  size,
  idExternal,
})
const ids = (images: readonly { id: number }[]) => images.map(({ id }) => id)

it('puts the sizes of one picture together, in the order of the pictures', () => {
  const images = [
    image(1, 'b', 'large'),
    image(2, 'a', 'small'),
    image(3, 'b', 'small'),
    image(4, 'a', 'small', '7'),
    image(5, 'a', 'large'),
  ]
  expect(groupImages(images).map(ids)).toEqual([[1, 3], [2, 5], [4]])
  expect(groupImages([])).toEqual([])
})

it('takes no external id and an absent one for the same', () => {
  expect(groupImages([image(1, 'a', 'small'), { key: 'a', size: 'large' as const }])).toHaveLength(1)
})

it('chooses the largest and the smallest of the sizes that are there', () => {
  const [large, medium, small] = [image(1, 'a', 'large'), image(2, 'a', 'medium'), image(3, 'a', 'small')]
  expect(largestOf([medium, large, small])).toBe(large)
  expect(smallestOf([medium, large, small])).toBe(small)
  expect(largestOf([small, medium])).toBe(medium)
  expect(smallestOf([large])).toBe(large)
  expect(largestOf([])).toBeUndefined()
  expect(smallestOf([])).toBeUndefined()
})

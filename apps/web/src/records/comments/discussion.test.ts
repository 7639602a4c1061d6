import { expect, it } from 'vitest'
import { type CommentRow, firstNew, threadsOf } from './discussion.ts'

const comment = (id: number, idUser = 1, more: Partial<CommentRow> = {}): CommentRow => ({
  id,
  _version: 1,
  message: '',
  dateCreate: '',
  dateChange: null,
  idUser,
  user: null,
  ...more,
})

it('puts answers under what they answer, the oldest thread first', () => {
  const threads = threadsOf([comment(9, 1, { idComment: 3 }), comment(7), comment(5, 1, { idComment: 3 }), comment(3)])
  expect(threads.map(({ id, replies }) => [id, replies.map((r) => r.id)])).toEqual([
    [3, [5, 9]],
    [7, []],
  ])
})

it('keeps answers whose thread is not there', () => {
  const [orphans] = threadsOf([comment(8, 1, { idComment: 2 })])
  expect(orphans).toMatchObject({ id: 2, root: undefined })
})

it('finds where the new ones begin: not at an own line, not at a system line', () => {
  const threads = threadsOf([comment(1, 2), comment(4, 1), comment(5, 2, { isSystem: true }), comment(6, 2)])
  expect([firstNew(threads, 3, 1), firstNew(threads, 6, 1), firstNew(threads, 0, 1)]).toEqual([6, undefined, 1])
})

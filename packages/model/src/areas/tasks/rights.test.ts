import { describe, expect, it } from 'vitest'
import {
  beyondRights,
  everyRight,
  type MemberRights,
  mayDrag,
  mayMakeTemplates,
  mayRelate,
  maySeeBoard,
  maySeeContent,
  mayWithTask,
  reachesTask,
  type Standing,
  type TaskLevel,
  type TaskRelation,
} from './rights.ts'

const nobody: TaskRelation = { isCreator: false, isExecutor: false, isResponsible: false, hasPeople: false }
const others = { ...nobody, hasPeople: true }

describe('reachesTask (spec §6)', () => {
  it.each<[TaskLevel, Partial<TaskRelation>, boolean]>([
    ['none', { isCreator: true, isExecutor: true, hasPeople: true }, false],
    ['all', {}, true],
    ['my', {}, false],
    ['my', { isCreator: true }, false],
    ['my', { isCreator: true, hasPeople: true }, true],
    ['my', { isExecutor: true, hasPeople: true }, true],
    ['my', { isResponsible: true, hasPeople: true }, true],
    ['my', { hasPeople: true }, false],
    ['emptymy', {}, true],
    ['emptymy', { hasPeople: true }, false],
    ['emptymy', { isCreator: true, hasPeople: true }, true],
  ])('%s %j → %s', (level, relation, reached) => {
    expect(reachesTask(level, { ...nobody, ...relation })).toBe(reached)
    expect(reachesTask(level, { ...nobody, ...relation }, true)).toBe(true)
  })
})

const none: MemberRights = {
  permissionToViewTasks: 'none',
  permissionToEditTasks: 'none',
  permissionToAssignTasks: 'none',
  permissionToDeleteTasks: 'none',
  permissionToEditTemplates: 'none',
  canCreateTask: false,
  canRelationBoard: false,
  canEditBoard: false,
  canEditColumn: false,
  canManuallyDragTask: false,
  creatorClosesTaskAsExecutor: false,
}
const stands = (member?: Partial<MemberRights>, more: Partial<Standing> = {}): Standing => ({
  isOwner: false,
  bypass: false,
  member: member && { ...none, ...member },
  ...more,
})

describe('mayWithTask', () => {
  it.each<[string, TaskRelation, Standing[], boolean]>([
    ['on no board: the creator', { ...nobody, isCreator: true }, [], true],
    ['on no board: another', others, [], false],
    ['owner', others, [stands(undefined, { isOwner: true })], true],
    ['stranger', { ...others, isCreator: true }, [stands()], false],
    ['one of two boards is enough', others, [stands({}), stands({ permissionToViewTasks: 'all' })], true],
    ['a right of another kind is none', others, [stands({ permissionToEditTasks: 'all' })], false],
  ])('%s', (_, task, on, may) => expect(mayWithTask('view', task, on)).toBe(may))
})

it('a template is seen by every member, and written by the level of the right to templates', () => {
  const template = { ...others, isTemplate: true }
  const mine = { ...template, isExecutor: true }
  expect(mayWithTask('view', template, [stands({})])).toBe(true)
  expect(mayWithTask('view', template, [stands()])).toBe(false)
  expect(mayWithTask('edit', template, [stands({ permissionToEditTasks: 'all' })])).toBe(false)
  for (const right of ['edit', 'assign', 'delete'] as const) {
    expect(mayWithTask(right, template, [stands({ permissionToEditTemplates: 'all' })])).toBe(true)
    expect(mayWithTask(right, template, [stands({ permissionToEditTemplates: 'my' })])).toBe(false)
    expect(mayWithTask(right, mine, [stands({ permissionToEditTemplates: 'my' })])).toBe(true)
  }
  expect(mayMakeTemplates(stands({}))).toBe(false)
  expect(mayMakeTemplates(stands({ permissionToEditTemplates: 'my' }))).toBe(true)
  expect(mayMakeTemplates(stands(undefined, { isOwner: true }))).toBe(true)
})

it('moves by hand take their own right, relations take it on both boards', () => {
  expect(mayDrag(stands({ permissionToEditTasks: 'all' }))).toBe(false)
  expect(mayDrag(stands({ canManuallyDragTask: true }))).toBe(true)
  expect(mayRelate(stands({ canRelationBoard: true }), stands({}))).toBe(false)
  expect(mayRelate(stands({ canRelationBoard: true }), stands({}), true)).toBe(true)
  expect(mayRelate(stands({}), stands({ canRelationBoard: true }), true)).toBe(false)
  expect(mayRelate(stands({ canRelationBoard: true }), stands(undefined, { isOwner: true }))).toBe(true)
})

it('a public workspace shows itself, but not its inside', () => {
  expect(maySeeBoard(stands(), { isPublic: true })).toBe(true)
  expect(maySeeContent(stands())).toBe(false)
  expect(maySeeBoard(stands(), { isPublic: false })).toBe(false)
  expect(maySeeContent(stands({}))).toBe(true)
})

it('no user grants more than the own rights, and what was there may stay', () => {
  const giver = stands({ canEditBoard: true, permissionToViewTasks: 'my' })
  expect(beyondRights(giver, { permissionToViewTasks: 'emptymy', canEditBoard: true, canEditColumn: true })).toEqual([
    'permissionToViewTasks',
    'canEditColumn',
  ])
  expect(beyondRights(giver, { permissionToViewTasks: 'my', canEditColumn: false })).toEqual([])
  expect(beyondRights(giver, everyRight, everyRight)).toEqual([])
  expect(beyondRights(stands(undefined, { isOwner: true }), everyRight)).toEqual([])
})

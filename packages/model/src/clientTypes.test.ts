import { expectTypeOf, test } from 'vitest'
import type { LeadResponsible } from './areas/sales/lead.ts'
import type { Assigned, Task } from './areas/tasks/task.ts'
import type { Expanded, Filter, ListQuery, recordsClient, SortKey } from './client.ts'
import type { Create, Entity, Row, Update } from './entity.ts'
import type { PageParams } from './pages.ts'

/** Checked by the compiler: if this file does not compile, `npm test -- types` fails. */

type Client = ReturnType<typeof recordsClient>
declare const client: Client
declare const tasks: typeof Task
declare const assigned: typeof Assigned

test('a row has its relations to any depth, null where there may be none', () => {
  type Card = Expanded<typeof Assigned, 'task.executors.member.user' | 'task.tags' | 'column'>
  // A parent is always visible with its record.
  expectTypeOf<Card['task']['name']>().toEqualTypeOf<string>()
  expectTypeOf<Card['task']['tags'][number]['color']>().toEqualTypeOf<string>()
  expectTypeOf<null>().toExtend<Card['column']>()
  expectTypeOf<null>().toExtend<Card['task']['executors'][number]['member']>()
  type Member = NonNullable<Card['task']['executors'][number]['member']>
  expectTypeOf<NonNullable<Member['user']>['surname']>().toEqualTypeOf<string | null>()
  expectTypeOf<'responsible'>().not.toExtend<keyof Card['task']>()
})

test('only the named fields come, and of a relation without any all do', () => {
  type Card = Expanded<typeof Assigned, 'task.tags' | 'column', 'order' | 'task.name' | 'task.tags.color'>
  expectTypeOf<keyof Card>().toEqualTypeOf<'id' | '_version' | 'order' | 'task' | 'column'>()
  expectTypeOf<keyof Card['task']>().toEqualTypeOf<'id' | '_version' | 'name' | 'tags'>()
  expectTypeOf<keyof Card['task']['tags'][number]>().toEqualTypeOf<'id' | '_version' | 'color'>()
  expectTypeOf<NonNullable<Card['column']>['name']>().toEqualTypeOf<string>()
})

test('names behind dots are those of the entities', () => {
  const queries = () => {
    void client.list(assigned, { fields: ['order', 'task.name'], expand: ['task.tags'], sort: '-task.dateEnd' })
    // @ts-expect-error: no such field of a task
    void client.list(assigned, { fields: ['task.nome'], expand: ['task'] })
    // @ts-expect-error: no such relation of a task
    void client.list(assigned, { expand: ['task.executor'] })
    // @ts-expect-error: a task is within nothing
    void client.list(tasks, { sort: 'user.name' })
  }
  expectTypeOf(queries).toBeFunction()
  expectTypeOf<'-task.dateEnd'>().toExtend<SortKey<typeof Assigned>>()
  expectTypeOf<'column.name'>().not.toExtend<SortKey<typeof Assigned>>()

  type Of = Filter<typeof Assigned>
  expectTypeOf<{ 'task.name': { ilike: string } }>().toExtend<Of>()
  expectTypeOf<{ 'task.executors.idMember': number }>().toExtend<Of>()
  expectTypeOf<{ 'task.importance': string }>().not.toExtend<Of>()
  const filters = () => {
    // @ts-expect-error: no such field of a task
    const wrong: Of = { 'task.nome': 'x' }
    // @ts-expect-error: no such relation of a card
    const lost: Of = { 'tasks.executors.idMember': 5 }
    return [wrong, lost]
  }
  expectTypeOf(filters).toBeFunction()
})

test('of an entity that is known by its path alone anything may be asked and written', () => {
  expectTypeOf<{ filter: { 'a.b': 1 }; sort: 'c'; fields: ['d'] }>().toExtend<ListQuery<Entity>>()
  expectTypeOf<{ name: string }>().toExtend<Create<Entity>>()
  expectTypeOf<{ name: string; _version: number }>().toExtend<Update<Entity>>()
  expectTypeOf<Row<typeof LeadResponsible>>().toExtend<Row<Entity>>()
})

test('a page asks for the parameters of its path', () => {
  expectTypeOf<PageParams<'funnel'>>().toEqualTypeOf<{ id: string | number }>()
  expectTypeOf<keyof PageParams<'deals'>>().toEqualTypeOf<never>()
})

import { type LinkType, TaskLink } from '@ordinator/model/areas/tasks/link'
import type { Entity, Row } from '@ordinator/model/entity'
import { useQueryClient } from '@tanstack/react-query'
import { stepPlace } from '#kit/useSortable.ts'
import { invalidateRecords } from '#records/keys.ts'
import { asRows, useList } from '#records/reads.ts'
import { useMove, useRemove, useSave } from '#records/writes.ts'

/** Maximum links of a task; page limit of the engine. */
const MAX_LINKS = 500

type LinkRow = Row<typeof TaskLink>

/** A list or poll with its link. */
export interface Thing<R> {
  link: LinkRow
  record: R
}

/** Links of a task, all types in one shared request. */
function useTaskLinks(idTask: number) {
  return useList(TaskLink, { filter: { idTask }, sort: 'order', limit: MAX_LINKS }, { forbidden: 'silent' })
}

/** Ordered check lists, client lists or polls of a task, with actions. */
export function useThings<R extends { id: number; name: string }>(
  idTask: number,
  type: LinkType,
  entity: Entity,
  /** Toast text of a removal. */
  removed: string,
) {
  const cache = useQueryClient()
  const all = useTaskLinks(idTask)
  const links = (all.data?.items ?? []).filter((link) => link.type === type) as LinkRow[]
  const ids = links.map((link) => link.idEntity)
  const list = useList(
    entity,
    { filter: { id: { in: ids } }, limit: MAX_LINKS },
    {
      enabled: ids.length > 0,
      forbidden: 'silent',
    },
  )
  const byId = new Map(asRows<R>(list.data?.items).map((record) => [record.id, record]))
  const things = links.flatMap((link): Thing<R>[] => {
    const record = byId.get(link.idEntity)
    return record ? [{ link, record }] : []
  })
  const save = useSave(entity)
  const remove = useRemove(TaskLink, { message: removed })
  const move = useMove(TaskLink)
  return {
    things,
    pending: all.isPending || (ids.length > 0 && list.isPending),
    error: all.error ?? list.error,
    retry: () => void (all.isError ? all.refetch() : list.refetch()),
    /** Creates a new one in the task; returns its id. */
    async add(values: object): Promise<number> {
      const made = await save.mutateAsync({ ...values, idTask })
      await invalidateRecords(cache, TaskLink.path)
      return made.id
    },
    change: (id: number, values: object) => save.mutate({ id, ...values }),
    remove: (thing: Thing<R>) => remove.mutate(thing.link.id),
    put: (idLink: number, place: { before?: number; after?: number }) => move.mutate({ id: idLink, ...place }),
    step(thing: Thing<R>, step: 'up' | 'down') {
      const place = stepPlace(links, thing.link.id, step)
      if (place) move.mutate({ id: thing.link.id, ...place })
    },
  }
}

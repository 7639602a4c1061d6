import type { Entity, Row } from '@ordinator/model/entity'
import { useMemo } from 'react'
import { useList } from '../reads.ts'
import type { Group } from './groups.ts'

const MAX_GROUPS = 500

/** The groups of a tree, in order. */
export function useGroups<E extends Entity>(entity: E) {
  const list = useList<Entity>(entity, { sort: 'order', limit: MAX_GROUPS })
  const groups = useMemo(() => (list.data?.items ?? []) as (Row<E> & Group)[], [list.data])
  return { list, groups }
}

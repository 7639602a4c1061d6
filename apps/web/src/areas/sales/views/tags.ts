import { LeadTag } from '@ordinator/model/areas/sales/lead'
import { useMemo } from 'react'
import { records } from '#base/client.ts'
import { isNamed } from '#kit/isNamed.ts'
import { distinctTags, type NamedTag } from '#kit/TagPicker.tsx'
import { notifyBoardFailure } from '#records/board/cardStore.ts'
import { useList } from '#records/reads.ts'
import type { DealStore } from '../board/dealStore.ts'
import type { Deal } from '../board/deals.ts'

/** Temporary id of a tag until the server assigns one. */
let provisional = -1

/** Distinct tags of all deals. */
export function useDealTags(enabled = true): NamedTag[] {
  const list = useList(
    LeadTag,
    { sort: '-id', limit: 500, fields: ['name', 'color', 'icon'] },
    { enabled, forbidden: 'silent', staleTime: 60_000 },
  )
  return useMemo(() => distinctTags(list.data?.items ?? []), [list.data])
}

/** Toggles a deal's tag, optimistically. */
export function useToggleTag(store: DealStore) {
  return async (deal: Deal, tag: NamedTag): Promise<void> => {
    const there = deal.tags.find(isNamed(tag.name))
    const tags = there
      ? deal.tags.filter((t) => t.id !== there.id)
      : [...deal.tags, { id: provisional--, _version: 0, ...tag }]
    store.cards.patch(deal.id, (one) => ({ ...one, tags }))
    try {
      if (!there) await records.create(LeadTag, { idLead: deal.id, ...tag })
      else if (there.id > 0) await records.remove(LeadTag, there.id)
    } catch (error) {
      notifyBoardFailure(error)
    }
    store.refresh([deal.id])
  }
}

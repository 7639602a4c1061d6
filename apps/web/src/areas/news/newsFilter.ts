import type { AnyFilter } from '@ordinator/model/client'
import { midnight } from '../../kit/dateText.ts'
import type { NewsFilters } from './address.ts'

/** The filter of news that an address stands for; undefined: all of them. */
export function newsFilter({ q, source, active, from, to, unread }: NewsFilters): AnyFilter | undefined {
  const all: AnyFilter[] = []
  if (q) all.push({ title: { ilike: q } })
  if (source) all.push({ source: { in: source } })
  if (active) all.push({ active: active === 'yes' })
  if (from) all.push({ dateCreate: { gte: midnight(from) } })
  if (to) all.push({ dateCreate: { lt: midnight(to, 1) } })
  if (unread) all.push({ isRead: false, active: true })
  return all.length ? { and: all } : undefined
}

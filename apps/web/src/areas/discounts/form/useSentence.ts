import { type Described, sentenceOf } from '@ordinator/model/areas/discounts/words'
import { briefAt } from '#records/declarations.ts'
import { useNamedOf } from '#records/fields/RefSelect.tsx'
import { titleOf } from '#records/title.ts'

/** Summary sentence of a discount, with loaded names. */
export function useSentence(one: Described): string {
  const asked = [
    { to: 'services-groups', ids: [...(one.groups ?? []), ...(one.exceptGroups ?? [])] },
    { to: 'services', ids: [...(one.services ?? []), ...(one.exceptServices ?? [])] },
    { to: 'users', ids: one.doctors ?? [] },
    { to: 'filials', ids: one.filials ?? [] },
    { to: 'customer-sources', ids: one.sources ?? [] },
    { to: 'organizations', ids: one.companies ?? [] },
  ]
  const named = useNamedOf(asked)
  return sentenceOf(one, (path, id) => {
    const row = named[asked.findIndex(({ to }) => to === path)]?.find((found) => found.id === id)
    return row ? titleOf(briefAt(path), row) : '…'
  })
}

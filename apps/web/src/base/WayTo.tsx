import { type PageKey, pageAllowed, pageByKey } from '@ordinator/model/pages'
import { permissionLabel } from '@ordinator/model/permissions'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Muted } from '#kit/Words.tsx'
import { PageLink } from './PageLink.tsx'
import type { Search } from './redirect.ts'
import { useActor } from './session.ts'

interface Props {
  page: PageKey
  label: string
  search?: Search
}

/** Points to the page where an empty page's missing data are created: a button, or the required permission. */
export function WayTo({ page, label, search }: Props) {
  const wanted = pageByKey(page)
  if (pageAllowed(wanted, useActor()))
    return (
      <ActionButton
        label={label}
        variant="default"
        renderRoot={(props) => <PageLink {...props} {...({ page, search } as { page: 'users' })} />}
      />
    )
  const [right] = wanted.any ?? []
  return <Muted>{right ? `Это делает тот, у кого есть право «${permissionLabel(right)}»` : null}</Muted>
}

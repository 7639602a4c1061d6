import { can } from '@ordinator/model/access'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { IconBuildingHospital } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'

interface Props {
  /** Other branches exist, only the requested one does not. */
  others: boolean
  /** Link to another branch. */
  action?: ReactNode
}

/** Replaces a page of a missing branch: none exists yet, or it is closed. */
export function NoFilial({ others, action }: Props) {
  const mayAdd = can(useActor(), 'create', Filial)
  if (others)
    return (
      <EmptyState
        icon={IconBuildingHospital}
        title="Филиал не найден"
        text="Возможно, он больше не работает."
        action={action}
      />
    )
  return (
    <EmptyState
      icon={IconBuildingHospital}
      title="Филиалов пока нет"
      text={
        mayAdd
          ? 'Расписание ведут в филиале: добавьте первый.'
          : 'Расписание ведут в филиале: его добавит администратор.'
      }
      action={
        mayAdd && (
          <ActionButton label="Добавить филиал" renderRoot={(props) => <PageLink {...props} page="newFilial" />} />
        )
      }
    />
  )
}

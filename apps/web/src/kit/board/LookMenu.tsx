import { Menu } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { ActionMenu } from '../ActionMenu.tsx'
import { MenuChoice } from '../MenuChoice.tsx'

interface Props<G extends string> {
  /** «Дорожки», «Группы» */
  title: string
  /** Ways to group, by their labels. */
  groupings: Partial<Record<G, string>>
  group: G | undefined
  /** The grouping that stands when nothing is chosen. */
  usual?: G | undefined
  /** «Без дорожек»; absent: something is always chosen. */
  none?: string | undefined
  onGroup: (group: G | undefined) => void
  /** Cards that show their names only; absent: there are no cards. */
  compact?: { on: boolean; onChange: (on: boolean) => void } | undefined
}

/** How the cards of a board are grouped and how much each shows. */
export function LookMenu<G extends string>({ title, groupings, group, usual, none, onGroup, compact }: Props<G>) {
  const current = group ?? usual
  return (
    <ActionMenu
      label={`${title}: ${(current && groupings[current]) ?? 'нет'}`}
      icon={IconStack2}
      variant={current !== usual || compact?.on ? 'light' : 'default'}
      size={32}
      width={220}
    >
      <Menu.Label>{title}</Menu.Label>
      {none && <MenuChoice on={!current} label={none} onClick={() => onGroup(undefined)} />}
      {(Object.entries(groupings) as [G, string][]).map(([name, label]) => (
        <MenuChoice
          key={name}
          on={current === name}
          label={label}
          onClick={() => onGroup(name === usual ? undefined : name)}
        />
      ))}
      {compact && (
        <>
          <Menu.Divider />
          <MenuChoice on={compact.on} label="Компактные карточки" onClick={() => compact.onChange(!compact.on)} />
        </>
      )}
    </ActionMenu>
  )
}

import { Menu } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { ActionMenu } from '../ActionMenu.tsx'
import { MenuChoice } from '../MenuChoice.tsx'

interface Props<G extends string> {
  /** «Дорожки», «Группы» */
  title: string
  /** Groupings with their labels. */
  groupings: Partial<Record<G, string>>
  group: G | undefined
  /** The default grouping. */
  usual?: G | undefined
  /** «Без дорожек»; absent: a grouping is always active. */
  none?: string | undefined
  onGroup: (group: G | undefined) => void
  /** Cards with only their names; absent: there are no cards. */
  compact?: { on: boolean; onChange: (on: boolean) => void } | undefined
}

/** Menu for the grouping and size of the cards. */
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

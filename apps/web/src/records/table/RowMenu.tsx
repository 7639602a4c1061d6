import { Menu } from '@mantine/core'
import { IconArrowRight, IconCheckbox, IconCopy, IconExternalLink } from '@tabler/icons-react'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { Spot } from '#kit/Anchored.tsx'
import { copyText } from '#kit/copy.ts'
import { APP } from '#kit/root.ts'
import type { AnyRow } from '../fields/ui.ts'
import type { BulkAction } from './BulkBar.tsx'

/** A row for which the menu is open, and where. */
export interface MenuPlace {
  row: AnyRow
  rect: DOMRect
}

interface Props {
  place: MenuPlace
  onClose: () => void
  onOpen?: ((row: AnyRow) => void) | undefined
  hrefOf?: ((row: AnyRow) => string) | undefined
  /** Absent: rows cannot be selected. */
  onSelect?: ((row: AnyRow) => void) | undefined
  textOf: (row: AnyRow) => string
  actions: readonly BulkAction<AnyRow>[]
}

/** Actions of one row, by the right button or the menu key: those of the list, without selecting it first. */
export default function RowMenu({ place, onClose, onOpen, hrefOf, onSelect, textOf, actions }: Props) {
  const { row, rect } = place
  const own = actions.filter((one) => one.run && !one.render)
  return (
    <Menu opened onChange={(opened) => !opened && onClose()} position="bottom-start" width={260} trapFocus>
      <Menu.Target>
        <Spot rect={rect} label="Действия со строкой" />
      </Menu.Target>
      <Menu.Dropdown>
        {onOpen && <MenuItem label="Открыть" icon={IconArrowRight} onClick={() => onOpen(row)} />}
        {hrefOf && (
          <MenuItem
            label="Открыть в новой вкладке"
            icon={IconExternalLink}
            onClick={() => window.open(APP + hrefOf(row), '_blank', 'noopener')}
          />
        )}
        <MenuItem label="Скопировать строку" icon={IconCopy} onClick={() => void copyText(textOf(row))} />
        {onSelect && <MenuItem label="Выбрать" icon={IconCheckbox} onClick={() => onSelect(row)} />}
        {own.length > 0 && <Menu.Divider />}
        {own.map((action) => (
          <MenuItem
            key={action.key}
            label={action.label}
            icon={action.icon}
            danger={action.danger}
            disabled={action.allowed?.([row]) === false || action.keeps?.(row) !== undefined}
            title={action.keeps?.(row)}
            onClick={() => void action.run?.([row])}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

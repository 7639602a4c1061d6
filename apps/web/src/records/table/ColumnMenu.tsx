import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { Popover } from '#kit/Popover.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './ColumnMenu.module.css'
import type { Column } from './columns.ts'

interface Props {
  all: Column<never>[]
  shown: string[]
  /** Those of `shown` that do not fit in the table. */
  hidden: string[]
  onChange: (shown: string[]) => void
  onReset: () => void
}

/** Selects the columns of the table, and their order. */
export function ColumnMenu({ all, shown, hidden, onChange, onReset }: Props) {
  const [open, setOpen] = useState(false)
  const inOrder = [
    ...shown.flatMap((key) => all.find((column) => column.key === key) ?? []),
    ...all.filter((column) => !shown.includes(column.key)),
  ]
  const move = (key: string, by: number) => {
    const from = shown.indexOf(key)
    onChange(shown.toSpliced(from, 1).toSpliced(from + by, 0, key))
  }
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={320}>
      <Popover.Target>
        <IconButton
          icon={IconColumns3}
          variant={hidden.length > 0 ? 'light' : 'default'}
          size={32}
          label={hidden.length > 0 ? `Столбцы: не поместилось ${hidden.length}` : 'Столбцы'}
          onClick={() => setOpen(!open)}
        />
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label="Столбцы">
        {hidden.length > 0 && (
          <Fine component="p" px={8} pb={4}>
            Что не поместилось, стоит в карточке записи. Выберите столбцы сами, и таблица будет прокручиваться.
          </Fine>
        )}
        <ul className={classes.list}>
          {inOrder.map((column) => {
            const at = shown.indexOf(column.key)
            return (
              <li key={column.key} className={classes.item}>
                <Checkbox
                  className={classes.check}
                  size="xs"
                  label={column.label}
                  description={hidden.includes(column.key) ? 'Не поместился по ширине' : undefined}
                  checked={at >= 0}
                  disabled={at >= 0 && shown.length === 1}
                  onChange={() => onChange(at >= 0 ? shown.toSpliced(at, 1) : [...shown, column.key])}
                />
                {at >= 0 && (
                  <>
                    <IconButton
                      icon={IconArrowUp}
                      size={24}
                      label={`Выше: ${column.label}`}
                      disabled={at === 0}
                      onClick={() => move(column.key, -1)}
                    />
                    <IconButton
                      icon={IconArrowDown}
                      size={24}
                      label={`Ниже: ${column.label}`}
                      disabled={at === shown.length - 1}
                      onClick={() => move(column.key, 1)}
                    />
                  </>
                )}
              </li>
            )
          })}
        </ul>
        <ActionButton label="Вернуть как было" variant="subtle" fullWidth onClick={onReset} />
      </Popover.Dropdown>
    </Popover>
  )
}

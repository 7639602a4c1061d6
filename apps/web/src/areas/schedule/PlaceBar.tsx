import { Select } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack } from '#kit/Stacks.tsx'

interface Props {
  filials: readonly { id: number; nameFilial: string }[]
  idFilial: number | undefined
  onFilial: (id: number) => void
  day: string
  today: string
  /** Called with undefined for today. */
  onDay: (day: string | undefined) => void
  /** The previous or next day of a step. */
  turned: (way: 1 | -1) => string
  /** Group in the list of hotkeys. */
  group: string
  /** Content beside the branch, in its line on a phone. */
  beside?: ReactNode
}

/** Branch and day, by mouse and the keys `[`, `]` and `t`. */
export function PlaceBar({ filials, idFilial, onFilial, day, today, onDay, turned, group, beside }: Props) {
  const show = (next: string) => onDay(next === today ? undefined : next)
  const go = (way: 1 | -1) => show(turned(way))
  useHotkey('[', () => go(-1), { label: 'Раньше', group })
  useHotkey(']', () => go(1), { label: 'Позже', group })
  useHotkey('t', () => show(today), { label: 'Сегодня', group })
  return (
    <>
      <Select
        aria-label="Филиал"
        w={200}
        flex={beside ? '1 1 140px' : undefined}
        maw={200}
        data={filials.map(({ id, nameFilial }) => ({ value: String(id), label: nameFilial }))}
        value={idFilial === undefined ? null : String(idFilial)}
        onChange={(value) => onFilial(Number(value))}
      />
      {beside}
      <HStack gap={4} data-days>
        <ActionButton label="Сегодня" variant="default" disabled={day === today} onClick={() => show(today)} />
        <IconButton icon={IconChevronLeft} variant="default" size={32} label="Раньше" onClick={() => go(-1)} />
        <IconButton icon={IconChevronRight} variant="default" size={32} label="Позже" onClick={() => go(1)} />
        <DateField aria-label="День" w={132} value={day} onChange={(value) => isDay(value) && show(value)} />
      </HStack>
    </>
  )
}

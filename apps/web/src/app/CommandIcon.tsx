import {
  IconAdjustments,
  IconBolt,
  IconBook,
  IconCalendar,
  IconChartBar,
  IconClock,
  IconFileText,
  IconLayoutList,
  IconPhone,
  IconSearch,
  IconSettings,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Command } from '#base/commands.ts'
import classes from './Palette.module.css'
import { CUSTOMERS, PAGES, UNKNOWN } from './paletteGroups.ts'

/** Pictures of groups; anything else is a found record. */
const groupIcons: Readonly<Record<string, TablerIcon>> = {
  Недавнее: IconClock,
  [PAGES]: IconLayoutList,
  Действия: IconBolt,
  Вопросы: IconChartBar,
  Справка: IconBook,
  Поиск: IconSearch,
  Приложение: IconAdjustments,
  Настройки: IconSettings,
  Расписание: IconCalendar,
  [UNKNOWN]: IconPhone,
}

/** Picture of a command in the palette. */
export function CommandIcon({ command }: { command: Command }) {
  const Icon = groupIcons[command.group ?? ''] ?? (command.path === CUSTOMERS ? IconUser : IconFileText)
  return <Icon size={16} aria-hidden className={classes.icon} />
}

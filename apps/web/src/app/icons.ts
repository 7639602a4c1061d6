import {
  IconCircle,
  IconHospital,
  IconLayoutDashboard,
  IconListDetails,
  IconReportMoney,
  IconSchool,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Area } from '#base/area.ts'
import { areas } from './areas.ts'

/** Icons that several areas share, by their keys in the page list. */
const shared: Readonly<Record<string, TablerIcon>> = {
  dashboard: IconLayoutDashboard,
  lists: IconListDetails,
  finance: IconReportMoney,
  knowledge: IconSchool,
  clinic: IconHospital,
  settings: IconSettings,
}

const icons: Readonly<Record<string, TablerIcon | undefined>> = Object.assign(
  {},
  shared,
  ...areas.map((area: Area) => area.icons),
)

export function pageIcon(key: string | undefined): TablerIcon {
  return icons[key ?? ''] ?? IconCircle
}

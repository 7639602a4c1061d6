import {
  IconBook2,
  IconBriefcase,
  IconBroadcast,
  IconChartBar,
  IconCircle,
  IconEyeSearch,
  IconFilter,
  IconInbox,
  IconLayoutDashboard,
  IconLayoutKanban,
  IconListCheck,
  IconListDetails,
  IconMessages,
  IconNews,
  IconReceipt,
  IconSettings,
  IconShieldCheck,
  IconStethoscope,
  IconUserCircle,
  IconUserHeart,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'

/** Pictures of the icon keys in the page list. */
const icons: Record<string, TablerIcon> = {
  dashboard: IconLayoutDashboard,
  tasks: IconLayoutKanban,
  myTasks: IconListCheck,
  deals: IconBriefcase,
  funnels: IconFilter,
  dealRequests: IconInbox,
  dealAnalytics: IconChartBar,
  regulations: IconBook2,
  scripts: IconMessages,
  news: IconNews,
  lists: IconListDetails,
  customers: IconUserHeart,
  services: IconStethoscope,
  priceLists: IconReceipt,
  accessLog: IconEyeSearch,
  users: IconUsers,
  roles: IconShieldCheck,
  profile: IconUserCircle,
  settings: IconSettings,
  socket: IconBroadcast,
}

export function pageIcon(key: string | undefined): TablerIcon {
  return icons[key ?? ''] ?? IconCircle
}

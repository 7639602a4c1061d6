import { IconBroadcast } from '@tabler/icons-react'
import { StatePage } from '../kit/StatePage.tsx'

export default function SocketPage() {
  return <StatePage icon={IconBroadcast} title="Проверка сокета" />
}

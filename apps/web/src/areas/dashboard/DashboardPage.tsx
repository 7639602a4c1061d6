import { holds } from '@ordinator/model/access'
import { pageByKey } from '@ordinator/model/pages'
import { useActor } from '../../base/session.ts'
import { zoneNow } from '../../kit/clock.ts'
import { Held, Holding } from '../../kit/Holding.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { LinesSkeleton } from '../../kit/Skeletons.tsx'
import { VStack } from '../../kit/Stacks.tsx'
import { MyKpi } from '../kpi/index.ts'
import { NewsBlock } from '../news/index.ts'
import { MyVisits, TodayNumbers } from '../schedule/index.ts'
import { Conversations } from './Conversations.tsx'
import classes from './DashboardPage.module.css'
import { FavouriteBoards } from './FavouriteBoards.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { MyTasks } from './MyTasks.tsx'
import { Numbers } from './Numbers.tsx'

const page = pageByKey('dashboard')
await Promise.all([TodayNumbers, MyVisits, NewsBlock].map((block) => block.load()))

/** Рабочий стол: the own tasks by their due dates, the favourite workspaces, and what other areas hang here. */
export default function DashboardPage() {
  const actor = useActor()
  const tasks = holds(actor, 'viewTasksManagement')
  return (
    <Holding>
      <PageHead title={page.title} help={today(new Date())} />
      <Held fallback={<LinesSkeleton lines={8} />}>
        <FirstSteps />
        <Numbers />
        <div className={classes.page}>
          <VStack gap={16} miw={0}>
            {(holds(actor, 'createAppointments') || holds(actor, 'viewAllAppointments')) && <TodayNumbers />}
            <MyKpi />
            <Conversations />
            {tasks && <MyTasks />}
          </VStack>
          <VStack gap={16} miw={0}>
            {holds(actor, 'viewCalendar') && <MyVisits />}
            {tasks && <FavouriteBoards />}
            <NewsBlock />
          </VStack>
        </div>
      </Held>
    </Holding>
  )
}

function today(now: Date): string {
  const text = now.toLocaleDateString('ru-RU', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: zoneNow(),
  })
  return text[0]?.toUpperCase() + text.slice(1)
}

import { Box } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { pageByKey } from '@ordinator/model/pages'
import { Suspense } from 'react'
import { useActor } from '../../base/session.ts'
import { zoneNow } from '../../kit/clock.ts'
import { PageHead } from '../../kit/PageHead.tsx'
import { VStack } from '../../kit/Stacks.tsx'
import { NewsBlock } from '../news/index.ts'
import { MyVisits, TodayNumbers } from '../schedule/index.ts'
import { Conversations } from './Conversations.tsx'
import classes from './DashboardPage.module.css'
import { FavouriteBoards } from './FavouriteBoards.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { MyTasks } from './MyTasks.tsx'
import { Numbers } from './Numbers.tsx'

const page = pageByKey('dashboard')

/** Рабочий стол: the own tasks by their due dates, the favourite workspaces, and what other areas hang here. */
export default function DashboardPage() {
  const actor = useActor()
  const tasks = holds(actor, 'viewTasksManagement')
  return (
    <>
      <PageHead title={page.title} help={today(new Date())} />
      <FirstSteps />
      <Numbers />
      <div className={classes.page}>
        <VStack gap={16} miw={0}>
          {(holds(actor, 'createAppointments') || holds(actor, 'viewAllAppointments')) && (
            <Suspense fallback={<Box h={104} />}>
              <TodayNumbers />
            </Suspense>
          )}
          <Conversations />
          {tasks && <MyTasks />}
        </VStack>
        <VStack gap={16} miw={0}>
          {holds(actor, 'viewCalendar') && (
            <Suspense fallback={null}>
              <MyVisits />
            </Suspense>
          )}
          {tasks && <FavouriteBoards />}
          <Suspense fallback={<Box h={120} />}>
            <NewsBlock />
          </Suspense>
        </VStack>
      </div>
    </>
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

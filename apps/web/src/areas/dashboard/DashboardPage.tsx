import { holds } from '@ordinator/model/access'
import { pageByKey } from '@ordinator/model/pages'
import { Suspense } from 'react'
import { dashboardWidgets } from '../../app/extensions.ts'
import { useActor } from '../../app/session.ts'
import { PageHead } from '../../kit/PageHead.tsx'
import classes from './DashboardPage.module.css'
import { FavouriteBoards } from './FavouriteBoards.tsx'
import { MyTasks } from './MyTasks.tsx'

const page = pageByKey('dashboard')

/** Рабочий стол: the own tasks by their due dates, the favourite workspaces, and what other areas hang here. */
export default function DashboardPage() {
  const actor = useActor()
  const tasks = holds(actor, 'viewTasksManagement')
  const widgets = dashboardWidgets.filter((widget) => !widget.any || widget.any.some((name) => holds(actor, name)))
  return (
    <>
      <PageHead title={page.title} help={today(new Date())} />
      <div className={classes.page}>
        {tasks && (
          <div className={classes.main}>
            <MyTasks />
          </div>
        )}
        <div className={classes.side}>
          {tasks && <FavouriteBoards />}
          {widgets.map(({ key, component: Widget }) => (
            <Suspense key={key} fallback={<div className={classes.waiting} />}>
              <Widget />
            </Suspense>
          ))}
        </div>
      </div>
    </>
  )
}

function today(now: Date): string {
  const text = now.toLocaleDateString('ru-RU', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  return text[0]?.toUpperCase() + text.slice(1)
}

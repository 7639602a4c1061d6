import { Suspense } from 'react'
import { PageHead } from '../kit/PageHead.tsx'
import classes from './DashboardPage.module.css'
import { dashboardWidgets } from './extensions.ts'
import { useAccount, useActor } from './session.ts'

/** Рабочий стол: what the areas have to say about today, each widget hidden without its right. */
export default function DashboardPage() {
  const { identity } = useAccount().user
  const actor = useActor()
  const shown = dashboardWidgets.filter((widget) => !widget.any || widget.any.some((name) => actor.permissions[name]))
  return (
    <>
      <PageHead title={greeting(new Date(), identity.name)} help={today(new Date())} />
      <div className={classes.grid}>
        {shown.map(({ key, component: Widget }) => (
          <Suspense key={key} fallback={<div className={classes.waiting} />}>
            <Widget />
          </Suspense>
        ))}
      </div>
    </>
  )
}

function greeting(now: Date, name: string | null | undefined): string {
  const hour = now.getHours()
  const part = hour < 5 ? 'Доброй ночи' : hour < 12 ? 'Доброе утро' : hour < 18 ? 'Добрый день' : 'Добрый вечер'
  return name ? `${part}, ${name}` : part
}

function today(now: Date): string {
  const text = now.toLocaleDateString('ru-RU', { weekday: 'long', day: 'numeric', month: 'long' })
  return `Сегодня ${text}`
}

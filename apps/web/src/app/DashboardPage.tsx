import { type Page, pageAllowed, pages } from '@ordinator/model/pages'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageHead } from '../kit/PageHead.tsx'
import classes from './DashboardPage.module.css'
import { dashboardWidgets } from './extensions.ts'
import { pageIcon } from './icons.ts'
import { useAccount, useActor } from './session.ts'

/** Рабочий стол: what the areas have to say about today, each widget hidden without its right, and the ways on. */
export default function DashboardPage() {
  const { identity } = useAccount().user
  const actor = useActor()
  const widgets = dashboardWidgets.filter((widget) => !widget.any || widget.any.some((name) => actor.permissions[name]))
  const all: readonly Page[] = pages
  const ways = all.filter((page) => page.menu && page.path && pageAllowed(page, actor))
  return (
    <>
      <PageHead title={greeting(new Date(), identity.name)} help={today(new Date())} />
      <div className={classes.grid}>
        {widgets.map(({ key, component: Widget }) => (
          <Suspense key={key} fallback={<div className={classes.waiting} />}>
            <Widget />
          </Suspense>
        ))}
      </div>
      <nav aria-label="Перейти к разделу" className={classes.ways}>
        {ways.map((page) => {
          const Icon = pageIcon(page.icon)
          return (
            <Link key={page.key} to={`/${page.path}`} className={classes.way}>
              <Icon size={20} stroke={1.5} aria-hidden />
              <span>
                <span className={classes.wayTitle}>{page.title}</span>
                <span className={classes.wayHelp}>{page.help}</span>
              </span>
            </Link>
          )
        })}
      </nav>
    </>
  )
}

function greeting(now: Date, name: string | null | undefined): string {
  const hour = now.getHours()
  const part = hour < 5 ? 'Доброй ночи' : hour < 12 ? 'Доброе утро' : hour < 18 ? 'Добрый день' : 'Добрый вечер'
  return name ? `${part}, ${name}` : part
}

function today(now: Date): string {
  return `Сегодня ${now.toLocaleDateString('ru-RU', { weekday: 'long', day: 'numeric', month: 'long' })}`
}

import { tasksOf, trainingRoles } from '@ordinator/model/areas/training/tasks'
import { PageLink } from '#base/PageLink.tsx'
import classes from './Stripe.module.css'
import { useOwnTasks } from './useOwnTasks.ts'

/** Across the screen of the training clinic: nothing here is real; how far the tasks are; the way back. */
export default function Stripe() {
  const { data } = useOwnTasks()
  const role = data?.role
    ? `${trainingRoles[data.role].title}: сделано ${data.done.length} из ${tasksOf(data.role).length}`
    : undefined
  return (
    <aside className={classes.stripe} aria-label="Это учебная клиника">
      <span>Учебная клиника: всё ненастоящее</span>
      {role && <PageLink page="training">{role}</PageLink>}
      <span className={classes.space} />
      <a href="/app/training">Вернуться в клинику</a>
    </aside>
  )
}

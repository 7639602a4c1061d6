import { tasksOf, trainingRoles } from '@ordinator/model/areas/training/tasks'
import { pageAllowed, pageByKey } from '@ordinator/model/pages'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import classes from './TrainingPage.module.css'
import { useOwnTasks } from './useOwnTasks.ts'

/** The tasks of a first day, inside the training clinic. */
export function InsidePage() {
  const { data } = useOwnTasks()
  const actor = useActor()
  if (!data)
    return (
      <>
        <PageHead title="Задания первого дня" />
        <LinesSkeleton lines={6} />
      </>
    )
  if (!data.role) return <PageHead title="Задания первого дня" help="У этой роли заданий нет" />
  const done = new Set(data.done)
  const { title, about } = trainingRoles[data.role]
  const tasks = tasksOf(data.role)
  return (
    <>
      <PageHead title={`Задания первого дня: ${title.toLowerCase()}`} help={about} />
      <div className={classes.page}>
        {done.size === tasks.length && (
          <Muted component="p" m={0} role="status">
            Все задания сделаны. Можно ещё попробовать что угодно: настоящей клиники это не касается.
          </Muted>
        )}
        {tasks.map(({ key, title: name, how, page }) => (
          <VStack key={key} component="article" framed p={16} gap={4} aria-label={name}>
            <div className={classes.task} data-done={done.has(key) || undefined}>
              {done.has(key) ? (
                <IconCircleCheckFilled size={18} aria-label="Сделано" />
              ) : (
                <IconCircle size={18} aria-label="Не сделано" />
              )}
              <strong>{name}</strong>
            </div>
            <Fine component="p" m={0}>
              {how}
            </Fine>
            {pageAllowed(pageByKey(page), actor) && (
              <div>
                <ActionButton
                  label={`Открыть: ${pageByKey(page).title}`}
                  variant="default"
                  size="compact-md"
                  renderRoot={(props) => <PageLink {...props} page={page as 'dashboard'} />}
                />
              </div>
            )}
          </VStack>
        ))}
      </div>
    </>
  )
}

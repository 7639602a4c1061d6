import { CloseButton } from '@mantine/core'
import { Watcher } from '@ordinator/model/areas/tasks/task'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import classes from '#kit/openCard.module.css'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import type { SectionProps } from './SectionProps.ts'

const MAX_SHOWN = 100

/** Users notified about the task without being involved. */
export function Watchers({ card, data, rights }: SectionProps) {
  const idTask = card.task.id
  const list = useList(
    Watcher,
    { filter: { idTask }, expand: ['user'], sort: 'id', limit: MAX_SHOWN },
    { forbidden: 'silent' },
  )
  const watchers = list.data?.items ?? []
  const mine = watchers.find((watcher) => watcher.idUser === data.idUser)
  const others = watchers.filter((watcher) => watcher !== mine)
  const watch = useSave(Watcher)
  const leave = useRemove(Watcher, { message: 'Вы больше не следите за задачей', again: () => ({ idTask }) })
  const takeOff = useRemove(Watcher, {
    message: 'Наблюдатель убран',
    again: (id) => {
      const watcher = watchers.find((one) => one.id === id)
      return watcher && { idTask, idUser: watcher.idUser }
    },
  })
  const mayAssign = rights.task('assign', card.task)
  return (
    <section aria-label="Наблюдатели">
      <div className={classes.label}>Наблюдатели</div>
      <div className={classes.chips}>
        <ActionButton
          label={mine ? 'Слежу' : 'Следить'}
          size="compact-sm"
          radius="xl"
          variant={mine ? 'light' : 'default'}
          aria-pressed={mine !== undefined}
          title={mine ? 'Перестать следить' : 'Получать уведомления о задаче'}
          icon={mine ? IconEye : IconEyeOff}
          disabled={!list.isSuccess || watch.isPending || leave.isPending}
          onClick={() => (mine ? leave.mutate(mine.id) : watch.mutate({ idTask }))}
        />
        {others.map((watcher) => {
          const name = personName(watcher.user ?? {})
          return (
            <span key={watcher.id} className={classes.chip}>
              <UserAvatar user={watcher.user ?? {}} size={22} />
              <UserLink user={watcher.user ?? {}} className={classes.chipText} />
              {mayAssign && (
                <CloseButton
                  size="xs"
                  aria-label={`Убрать наблюдателя: ${name}`}
                  onClick={() => takeOff.mutate(watcher.id)}
                />
              )}
            </span>
          )
        })}
      </div>
    </section>
  )
}

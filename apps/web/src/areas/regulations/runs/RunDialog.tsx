import { CloseButton, Progress, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { RegulationRun, runStates } from '@ordinator/model/areas/regulations/run'
import { Task } from '@ordinator/model/areas/tasks/task'
import { IconListCheck } from '@tabler/icons-react'
import { errorMessage } from '#base/apiError.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { confirm } from '#kit/confirm.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { UserChip } from '#kit/UserChip.tsx'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useRecord } from '#records/reads.ts'
import { Chip } from '../Chip.tsx'
import { useRegulation } from '../calls.ts'
import { toastDone, toastFailed } from '../toasts.ts'
import { useRunSteps, useRunVerbs } from './calls.ts'
import { runColors } from './looks.ts'
import classes from './Run.module.css'
import { RunSteps } from './RunSteps.tsx'
import { RunSummary } from './RunSummary.tsx'

/** A run as a check list, with the current step open. */
export default function RunDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  return (
    <Dialog
      onClose={onClose}
      closeOnClickOutside={false}
      withCloseButton={false}
      size={760}
      padding={0}
      fullScreen={phone}
      centered={false}
      yOffset="4dvh"
      classNames={{ content: classes.content, body: classes.body }}
      attributes={{ content: { 'aria-label': 'Выполнение регламента' } }}
    >
      <Run id={id} onClose={onClose} />
    </Dialog>
  )
}

function Run({ id, onClose }: { id: number; onClose: () => void }) {
  const { id: me } = useActor()
  const seesTasks = useCan('view', Task)
  const run = useRecord(RegulationRun, id, { expand: seesTasks ? ['user', 'task'] : ['user'] }, { forbidden: 'silent' })
  const view = useRegulation(run.data?.idRegulation)
  const steps = useRunSteps(id)
  const { end } = useRunVerbs(id)
  const error = run.error ?? view.error ?? steps.error
  if (error)
    return (
      <StatePage
        size="block"
        icon={IconListCheck}
        title="Выполнение не открылось"
        text={errorMessage(error)}
        actions={<ActionButton label="Закрыть" variant="light" onClick={onClose} />}
      />
    )
  if (!run.data || !view.data || !steps.data)
    return (
      <div className={classes.main}>
        <LinesSkeleton lines={6} />
      </div>
    )
  const { state, user, task } = run.data
  const rows = steps.data.items
  const marked = rows.filter((row) => row.state !== 'waiting').length
  const mayMark = state === 'going' && run.data.idUser === me
  const finish = (how: 'finish' | 'cancel') =>
    end.mutateAsync(how).then(
      () => toastDone(how === 'finish' ? 'Выполнение завершено' : 'Выполнение прервано'),
      (failure: unknown) => toastFailed('Ошибка при сохранении', failure),
    )
  const cancel = async () => {
    const question = {
      title: 'Прервать выполнение?',
      message: 'Отмеченные шаги и нарушения останутся, продолжить будет нельзя.',
      confirm: 'Прервать',
      danger: true,
    }
    if (await confirm(question)) await finish('cancel')
  }
  return (
    <>
      <header className={classes.top}>
        <Title order={2} fz={16} lh="28px" className="breaks">
          {view.data.name}
        </Title>
        <CloseButton aria-label="Закрыть" onClick={onClose} />
        <div className={classes.about}>
          <Chip color={runColors[state]}>{runStates[state]}</Chip>
          {user && <UserChip user={user} />}
          {task && <Muted>Задача: {task.name}</Muted>}
          <Text span inherit ml="auto" fw={500} className="tabular">
            {marked} из {rows.length}
          </Text>
        </div>
        <Progress
          className={classes.bar}
          size={4}
          value={(marked / Math.max(1, rows.length)) * 100}
          attributes={{ section: { 'aria-label': `Отмечено шагов: ${marked} из ${rows.length}` } }}
        />
      </header>
      <div className={classes.main} data-scrolls>
        {(state !== 'going' || marked === rows.length) && <RunSummary run={run.data} rows={rows} />}
        <RunSteps idRun={id} rows={rows} stages={view.data.stages} mayMark={mayMark} />
      </div>
      {mayMark && (
        <footer className={classes.foot}>
          <ActionButton
            label="Прервать"
            variant="subtle"
            color="gray"
            disabled={end.isPending}
            onClick={() => void cancel()}
          />
          {marked === rows.length && (
            <ActionButton label="Завершить" loading={end.isPending} onClick={() => void finish('finish')} />
          )}
        </footer>
      )}
    </>
  )
}

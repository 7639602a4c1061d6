import { Box, Checkbox, Progress } from '@mantine/core'
import { RegulationRead } from '@ordinator/model/areas/regulations/regulation'
import { counted } from '@ordinator/model/format'
import { IconBellRinging, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDate, formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserChip } from '#kit/UserChip.tsx'
import { ExportMenu } from '#records/table/ExportMenu.tsx'
import { Chip } from '../Chip.tsx'
import { toastDone, toastFailed } from '../toasts.ts'
import type { ViewPartProps } from '../view/ViewPartProps.ts'
import { Audience } from './Audience.tsx'
import { useReadingVerbs, useReads } from './calls.ts'
import { isLate } from './late.ts'
import classes from './Reads.module.css'

const personForms = ['сотруднику', 'сотрудникам', 'сотрудникам'] as const

/** Readers with their state, and reminders; for editors and the responsible employee. */
export function ReadingTab({ view }: ViewPartProps) {
  const { permissions } = useActor()
  return (
    <VStack gap={20}>
      {permissions.editScripts && <Audience idRegulation={view.id} />}
      <Readers view={view} />
    </VStack>
  )
}

function Readers({ view }: ViewPartProps) {
  const list = useReads(view.id)
  const { remind } = useReadingVerbs(view.id)
  const [chosen, setChosen] = useState<readonly number[]>([])
  if (list.isPending) return <LinesSkeleton lines={4} />
  if (list.isError)
    return <ErrorState title="Ошибка при загрузке данных" error={list.error} onRetry={() => void list.refetch()} />
  const reads = list.data.items
  if (reads.length === 0)
    return (
      <EmptyState
        icon={IconUsers}
        title={view.status === 'active' ? 'Никому не назначено' : 'Ознакомления ещё нет'}
        text={
          view.status === 'active'
            ? 'Назовите роли и сотрудников, которые должны ознакомиться с регламентом'
            : 'Оно начнётся, когда версия вступит в силу'
        }
      />
    )
  const open = reads.filter(({ dateRead }) => !dateRead)
  const done = reads.length - open.length
  const late = open.filter(({ dateDue }) => isLate(dateDue)).length
  const picked = open.filter(({ idUser }) => chosen.includes(idUser)).map(({ idUser }) => idUser)
  const send = () =>
    remind.mutate(picked.length ? picked : undefined, {
      onSuccess: ({ count }) => {
        setChosen([])
        toastDone(count ? `Напомнили: ${counted(count, personForms)}` : 'Им уже напоминали в последний час')
      },
      onError: (error) => toastFailed('Напоминание не отправлено', error),
    })
  return (
    <section aria-label="Кто ознакомился">
      <HStack gap="8px 12px" wrap mb={8} mih={32}>
        <span className="tabular">
          Ознакомились {done} из {reads.length}
        </span>
        {late > 0 && <Chip color="red">просрочили: {late}</Chip>}
        <HStack component="span" ml="auto">
          {view.status === 'active' && open.length > 0 && (
            <ActionButton
              label={picked.length ? `Напомнить (${picked.length})` : 'Напомнить всем'}
              size="compact-md"
              variant="default"
              icon={IconBellRinging}
              loading={remind.isPending}
              onClick={send}
            />
          )}
          <ExportMenu
            entity={RegulationRead}
            query={{
              filter: { idRegulation: view.id },
              fields: ['idUser', 'dateDue', 'dateRead', 'score', 'attempts', 'dateReminded'],
              sort: ['dateRead', 'dateDue'],
            }}
          />
        </HStack>
      </HStack>
      <Progress
        size={4}
        mb="sm"
        value={(done / reads.length) * 100}
        attributes={{ section: { 'aria-label': `Ознакомились ${done} из ${reads.length}` } }}
      />
      <Block component="ul" framed aria-label="Читатели">
        {[...open, ...reads.filter(({ dateRead }) => dateRead)].map((read) => (
          <li key={read.id} className={classes.reader}>
            {view.status === 'active' && (
              <Checkbox
                aria-label={`Выбрать: ${read.user?.fio ?? ''}`}
                disabled={read.dateRead !== null}
                checked={picked.includes(read.idUser)}
                onChange={(event) =>
                  setChosen(
                    event.currentTarget.checked
                      ? [...picked, read.idUser]
                      : picked.filter((idUser) => idUser !== read.idUser),
                  )
                }
              />
            )}
            <Box component="span" miw={0}>
              {read.user && <UserChip user={read.user} />}
            </Box>
            <HStack component="span" gap="4px 12px" wrap ml="auto" c="dimmed" fz={12}>
              {read.attempts > 0 && view.hasTest > 0 && (
                <span className="tabular">
                  тест {read.score ?? 0} %, попыток: {read.attempts}
                </span>
              )}
              {read.dateReminded && !read.dateRead && (
                <span title={formatDateTime(read.dateReminded)}>напоминали {formatDate(read.dateReminded)}</span>
              )}
              {read.dateRead ? (
                <Chip color="green" title={formatDateTime(read.dateRead)}>
                  ознакомлен {formatDate(read.dateRead)}
                </Chip>
              ) : isLate(read.dateDue) ? (
                <Chip color="red">срок был {formatDate(read.dateDue)}</Chip>
              ) : (
                <Chip color="yellow">до {formatDate(read.dateDue)}</Chip>
              )}
            </HStack>
          </li>
        ))}
      </Block>
    </section>
  )
}

import { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { bases, careTypes, isWaiting, sources } from '@ordinator/model/areas/attachment/rules'
import { ageText } from '@ordinator/model/areas/customers/age'
import { pageByKey } from '@ordinator/model/pages'
import { IconAlertTriangle, IconCheck, IconUserCheck } from '@tabler/icons-react'
import { PrintMenu } from '#areas/prints/index.ts'
import { useGo } from '#base/address.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime, today } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { useRemove } from '#records/writes.ts'
import { ApplicationStatus } from './ApplicationStatus.tsx'
import classes from './Attachment.module.css'
import { Areas } from './application/Areas.tsx'
import { Comparison } from './application/Comparison.tsx'
import { Decision } from './application/Decision.tsx'
import { Papers } from './application/Papers.tsx'
import { type ApplicationRow, live, type State, useApplicationState } from './application/state.ts'
import { DueMark } from './DueMark.tsx'

/** Заявление о прикреплении: application beside the card, checks, area, decision. */
export default function ApplicationPage() {
  return (
    <RegistryRecordPage
      entity={AttachmentApplication}
      list={pageByKey('attachment')}
      live={live}
      help={({ number, submittedAt, source }) =>
        `№ ${number ?? '—'}, ${sources[source].toLowerCase()}, подано ${formatDateTime(submittedAt)}`
      }
      actions={(one) => <Actions one={one} />}
      under={(one) => <Head one={one} />}
      main={{ label: 'Решение', panel: (one) => <Board one={one} /> }}
    />
  )
}

function Head({ one }: { one: ApplicationRow }) {
  return (
    <HStack wrap gap="6px 16px" mb={8}>
      <ApplicationStatus status={one.status} size="lg" />
      <span>
        {one.birthday}, {ageText(one.birthday, today())}
      </span>
      <span>{careTypes[one.careType]}</span>
      <span>{bases[one.basis].toLowerCase()}</span>
      {one.phone && <PhoneLink phone={one.phone} />}
      {isWaiting(one.status) && <DueMark {...one} before="ответить до" />}
    </HStack>
  )
}

function Board({ one }: { one: ApplicationRow }) {
  const state = useApplicationState(one.id)
  if (state.isError) return <ErrorState error={state.error} onRetry={() => void state.refetch()} />
  if (!state.data) return <LinesSkeleton lines={10} />
  return (
    <div className={classes.board}>
      <VStack gap={20} miw={0}>
        <Comparison one={one} state={state.data} />
        <Papers one={one} />
      </VStack>
      <VStack gap={16} miw={0}>
        <Decision one={one} state={state.data} />
        <Checks state={state.data} />
        <Areas one={one} state={state.data} />
      </VStack>
    </div>
  )
}

function Checks({ state }: { state: State }) {
  return (
    <section aria-label="Проверки">
      <h2 className={classes.title}>Проверки</h2>
      <ul className={classes.checks}>
        {state.checks.map(({ key, level, words }) => (
          <li key={key} data-level={level}>
            {level === 'ok' ? <IconCheck size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
            <span>{words}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Actions({ one }: { one: ApplicationRow }) {
  const go = useGo()
  const mayEdit = useCan('update', AttachmentApplication)
  const remove = useRemove(AttachmentApplication, { message: 'Заявление удалено' })
  return (
    <>
      <PrintMenu entity="attachment/applications" id={one.id} />
      {mayEdit && (
        <ActionMenu label="Другие действия" variant="default">
          {one.idCustomer && (
            <MenuItem
              label="Карта заявителя"
              icon={IconUserCheck}
              onClick={() => void go({ page: 'customer', search: { id: one.idCustomer as number } })}
            />
          )}
          <RemoveItem
            entity={AttachmentApplication}
            row={one}
            label="Удалить заявление"
            onRemove={() =>
              remove.mutate(one.id, { onSuccess: () => void go({ page: 'attachment' }, { replace: true }) })
            }
          />
        </ActionMenu>
      )}
    </>
  )
}

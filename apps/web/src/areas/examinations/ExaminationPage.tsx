import { Button } from '@mantine/core'
import { ownedRefusal } from '@ordinator/model/access'
import { ClinicalRecommendation } from '@ordinator/model/areas/clinical/clinical'
import { Examination, mayWrite } from '@ordinator/model/areas/examinations/examination'
import { type ExaminationForm, readyForm } from '@ordinator/model/areas/examinations/form'
import { formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconArrowLeft, IconFileUnknown } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ClinicalBlock } from '#areas/clinical/index.ts'
import { CustomerLink } from '#areas/customers/index.ts'
import { id as idOf } from '#base/addressValues.ts'
import { ApiError } from '#base/apiError.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { useRecordTitle } from '#base/title.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { Revealed, RevealTogether } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useRecord } from '#records/reads.ts'
import { StatusMark } from './ExaminationStatus.tsx'
import { DraftEditor, ExaminationFiles } from './editor/DraftEditor.tsx'
import type { ExaminationDraft } from './editor/draft.ts'
import { ReadView } from './editor/ReadView.tsx'
import { useExaminationDraft } from './editor/useDraft.ts'
import { Actions } from './examination/ExaminationActions.tsx'
import { Notices } from './examination/Notices.tsx'
import { examinationExpand, type OpenedProps } from './examination/opened.ts'

const list = pageByKey('examinations')

/** Осмотр: the form of a draft, or the read-only view. */
export default function ExaminationPage() {
  const id = idOf((useParams({ strict: false }) as { id?: string }).id)
  const found = useRecord(Examination, id, { expand: examinationExpand }, { forbidden: 'silent' })
  useRecordTitle(found.data && `${found.data.name}: ${found.data.customer?.shortFio ?? ''}`)
  if (id === undefined || (found.error instanceof ApiError && found.error.status === 404))
    return (
      <StatePage
        icon={IconFileUnknown}
        title="Осмотр не найден"
        text="Его удалили, это черновик другого врача или доступ к карте клиента ограничен."
        actions={<Button renderRoot={(props) => <PageLink {...props} page="examinations" />}>К осмотрам</Button>}
      />
    )
  if (found.isError && !found.data)
    return <ErrorState title="Осмотр не загрузился" error={found.error} onRetry={() => void found.refetch()} />
  return found.data ? (
    <OpenExamination key={`${id} ${found.data.status}`} examination={found.data} refresh={() => void found.refetch()} />
  ) : (
    waits
  )
}

const waits = (
  <Block p="var(--ord-page)">
    <LinesSkeleton lines={10} />
  </Block>
)

function OpenExamination({ examination, refresh }: OpenedProps) {
  const actor = useActor()
  const cache = useQueryClient()
  const ready = useMemo(() => readyForm(examination.form as ExaminationForm), [examination.form])
  const draft = useExaminationDraft(examination, ready, {
    onSaved: () => void invalidateRecords(cache, Examination.path),
    onStale: refresh,
  })
  const writes = mayWrite(actor, examination)
  return (
    <RevealTogether>
      <Head examination={examination} draft={draft} refresh={refresh} />
      <Revealed fallback={waits}>
        <VStack gap={16} px="var(--ord-page)" pb="var(--ord-page)">
          <Notices examination={examination} draft={draft} />
          {!ownedRefusal(actor, ClinicalRecommendation) && (
            <ClinicalBlock
              idExamination={examination.id}
              code={examination.code}
              day={examination.date}
              mayAnswer={writes && examination.idUser === actor.id}
            />
          )}
          {writes ? (
            <DraftEditor draft={draft} />
          ) : (
            <>
              <ReadView examination={examination} ready={ready} />
              <Block maw={900} component="section" framed p={16}>
                <ExaminationFiles idExamination={examination.id} mayEdit={false} />
              </Block>
            </>
          )}
        </VStack>
      </Revealed>
    </RevealTogether>
  )
}

function Head({ examination, draft, refresh }: OpenedProps & { draft: ExaminationDraft }) {
  const { name, customer, user, status, date } = examination
  return (
    <PageHead
      start={
        <IconButton
          icon={IconArrowLeft}
          label={`К списку: ${list.title}`}
          renderRoot={(props) => <PageLink {...props} page="examinations" />}
        />
      }
      title={name}
      help={
        <HStack component="span" gap="4px 12px" wrap display="inline-flex">
          {customer ? <CustomerLink customer={customer} tab="examinations" /> : 'Клиент вам не виден'}
          <span>{formatDay(date)}</span>
          {user && <UserLink user={user} />}
          <StatusMark status={status} />
        </HStack>
      }
      actions={<Actions examination={examination} draft={draft} refresh={refresh} />}
    />
  )
}

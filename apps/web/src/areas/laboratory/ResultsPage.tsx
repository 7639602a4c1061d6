import { SegmentedControl, Select } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { LabDevice } from '@ordinator/model/areas/laboratory/device'
import { sections, type Urgency, urgencies } from '@ordinator/model/areas/laboratory/words'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconCheck, IconChecks } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useAddress } from '#base/address.ts'
import { id, text, word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FilterSearch } from '#kit/FilterBar.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { retries } from '#records/reads.ts'
import classes from './Laboratory.module.css'
import { labKey, laboratoryLive, readLaboratory } from './reads.ts'
import { Matrix } from './results/Matrix.tsx'
import { ReviewsButton } from './results/Reviews.tsx'

const page = pageByKey('labResults')

const stages = { all: 'Все', enter: 'Ввести', technical: 'Проверить', medical: 'Подтвердить' } as const

type Stage = keyof typeof stages

const readAddress = (search: Search) => ({
  section: word(sections, search.section),
  device: id(search.device),
  urgency: word(urgencies, search.urgency),
  stage: word(stages, search.stage),
  q: text(search.q),
})

/** Результаты: a matrix of patients and analytes, operable by keyboard only. */
export default function ResultsPage() {
  const [{ section, device, urgency, stage = 'all', q = '' }, setAddress] = useAddress(readAddress)
  const actor = useActor()
  const cache = useQueryClient()
  const answer = useQuery({
    queryKey: [labKey, 'matrix', section, device, urgency, stage, q],
    queryFn: ({ signal }) =>
      api(
        'GET /laboratory/results/matrix',
        {
          query: {
            stage,
            ...(section && { section }),
            ...(device && { idDevice: device }),
            ...(urgency && { urgency }),
            ...(q && { search: q }),
          },
        },
        { signal },
      ),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: [...laboratoryLive, 'laboratory/control-runs'] },
  })
  const mayEnter = allowed(actor, 'enterLabResults')
  const mayApprove = allowed(actor, 'approveLabResults')
  const cells = (answer.data?.rows ?? []).flatMap((row) => Object.values(row.cells).map((cell) => ({ row, cell })))
  const normal = (status: 'raw' | 'technical') =>
    cells.flatMap(({ cell }) =>
      cell.idResult !== null &&
      cell.status === status &&
      (cell.flag === 'N' || cell.flag === null) &&
      !cell.held &&
      !cell.preliminary &&
      cell.others.length === 0
        ? [cell.idResult]
        : [],
    )
  const bulk = useMutation({
    mutationFn: ({ call, ids }: { call: 'technical' | 'medical'; ids: number[] }) =>
      api(
        call === 'technical' ? 'POST /laboratory/results/technical' : 'POST /laboratory/results/medical',
        { body: { ids: ids.slice(0, 500) } },
        { forbidden: 'toast' },
      ),
    onError: notifyFailure,
    onSuccess: async ({ count }, { call }) => {
      await readLaboratory(cache)
      notify.success(
        `${call === 'technical' ? 'Проверено' : 'Подтверждено'}: ${counted(count, ['значение', 'значения', 'значений'])}`,
      )
    },
  })
  const rawNormal = normal('raw')
  const technicalNormal = normal('technical')
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <>
            {mayApprove && <ReviewsButton />}
            {mayEnter && (
              <ActionButton
                label={`Проверить нормальные${rawNormal.length ? ` (${rawNormal.length})` : ''}`}
                variant="default"
                icon={IconCheck}
                disabled={rawNormal.length === 0}
                loading={bulk.isPending}
                onClick={() => bulk.mutate({ call: 'technical', ids: rawNormal })}
              />
            )}
            {mayApprove && (
              <ActionButton
                label={`Подтвердить нормальные${technicalNormal.length ? ` (${technicalNormal.length})` : ''}`}
                icon={IconChecks}
                disabled={technicalNormal.length === 0}
                loading={bulk.isPending}
                onClick={() => bulk.mutate({ call: 'medical', ids: technicalNormal })}
              />
            )}
          </>
        }
      >
        <HStack wrap gap={8}>
          <SegmentedControl
            aria-label="Что сделать"
            data={Object.entries(stages).map(([value, label]) => ({ value, label }))}
            value={stage}
            onChange={(value) =>
              setAddress({ stage: value === 'all' ? undefined : (value as Stage) }, { replace: true })
            }
          />
          <Select
            aria-label="Отдел"
            placeholder="Любой отдел"
            clearable
            w={210}
            data={Object.entries(sections).map(([value, label]) => ({ value, label }))}
            value={section ?? null}
            onChange={(value) => setAddress({ section: (value as keyof typeof sections | null) ?? undefined })}
          />
          <div style={{ width: 210 }}>
            <RefSelect
              to={LabDevice.path}
              aria-label="Анализатор"
              placeholder="Любой анализатор"
              clearable
              value={device ?? null}
              onChange={(value) => setAddress({ device: value ?? undefined })}
            />
          </div>
          <Select
            aria-label="Срочность"
            placeholder="Любая срочность"
            clearable
            w={170}
            data={Object.entries(urgencies).map(([value, label]) => ({ value, label }))}
            value={urgency ?? null}
            onChange={(value) => setAddress({ urgency: (value as Urgency | null) ?? undefined })}
          />
          <FilterSearch
            label="Заказ, пробирка или фамилия"
            placeholder="Заказ, пробирка, фамилия"
            hotkey={{ label: 'Найти заказ или пробирку', group: page.title }}
            value={q || undefined}
            onChange={(value) => setAddress({ q: value }, { replace: true })}
          />
        </HStack>
      </PageHead>
      <div className={classes.body}>
        {answer.isPending ? (
          <LinesSkeleton lines={10} />
        ) : answer.isError ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : answer.data.rows.length === 0 ? (
          <EmptyState
            title="Работы нет"
            text="Значения ждут здесь, когда пробу взяли и приняли. По этим условиям их нет: смените отдел или что сделать."
          />
        ) : (
          <>
            <Matrix
              analytes={answer.data.analytes}
              rows={answer.data.rows}
              mayEnter={mayEnter}
              mayApprove={mayApprove}
            />
            {answer.data.isMore && <Fine>Показаны первые 200 заказов: сузьте список.</Fine>}
          </>
        )}
      </div>
    </>
  )
}

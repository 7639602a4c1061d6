import { SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import {
  ClinicalAnswer,
  ClinicalChoice,
  ClinicalCriterion,
  ClinicalRecommendation,
  type ClinicalResult,
  clinicalResults,
  covers,
  criterionKinds,
  reasonLack,
} from '@ordinator/model/areas/clinical/clinical'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'

/** Limit of recommendations in force at once. */
const MAX = 500

interface Props {
  idExamination: number
  /** МКБ-10 code of the main diagnosis. */
  code: string | null
  /** Day of the examination: only recommendations in force on it are offered. */
  day: string
  /** The user's own draft; otherwise read-only. */
  mayAnswer: boolean
}

/** Recommendations of an examination: offered by its diagnosis, answered by criterion. */
export default function ClinicalBlock({ idExamination, code, day, mayAnswer }: Props) {
  const chosen = useList(ClinicalChoice, { filter: { idExamination }, expand: ['recommendation'], limit: 20 })
  const all = useList(ClinicalRecommendation, {
    fields: ['name', 'number', 'codes', 'validFrom', 'validTo'],
    limit: MAX,
    sort: 'name',
  })
  const choose = useSave(ClinicalChoice, { toast: false })
  const taken = chosen.data?.items ?? []
  const rest = (all.data?.items ?? []).filter(
    ({ id }) => !taken.some(({ idRecommendation }) => idRecommendation === id),
  )
  const fitting = rest.filter(
    ({ codes, validFrom, validTo }) =>
      covers(codes, code) && (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo),
  )
  const option = ({ id, name, number }: (typeof rest)[number]) => ({
    value: String(id),
    label: `${name} (КР ${number})`,
  })
  if (taken.length === 0 && (!mayAnswer || rest.length === 0)) return null
  return (
    <Block component="section" framed maw={900} p={16} aria-label="Клинические рекомендации">
      <h2>Клинические рекомендации</h2>
      {chosen.isPending ? (
        <LinesSkeleton lines={3} />
      ) : chosen.isError ? (
        <ErrorState title="Рекомендации не загрузились" error={chosen.error} onRetry={() => void chosen.refetch()} />
      ) : (
        <VStack gap={16} mt={8}>
          {taken.map((one) => (
            <Chosen key={one.id} choice={one} name={one.recommendation?.name ?? ''} mayAnswer={mayAnswer} />
          ))}
          {mayAnswer && (
            <Select
              label="Добавить рекомендацию"
              description={
                fitting.length
                  ? `По диагнозу ${code} подходят первые в списке`
                  : code
                    ? `По диагнозу ${code} рекомендаций нет, можно выбрать другую`
                    : 'Укажите диагноз, и подходящие встанут первыми'
              }
              placeholder="Название или номер"
              searchable
              value={null}
              data={[
                ...(fitting.length ? [{ group: `По диагнозу ${code}`, items: fitting.map(option) }] : []),
                { group: 'Остальные', items: rest.filter((one) => !fitting.includes(one)).map(option) },
              ]}
              onChange={(value) => value && choose.mutate({ idExamination, idRecommendation: Number(value) })}
            />
          )}
        </VStack>
      )}
    </Block>
  )
}

interface ChosenProps {
  choice: { id: number; idRecommendation: number }
  name: string
  mayAnswer: boolean
}

function Chosen({ choice, name, mayAnswer }: ChosenProps) {
  const criteria = useList(ClinicalCriterion, {
    filter: { idRecommendation: choice.idRecommendation },
    sort: 'order',
    limit: 200,
  })
  const answers = useList(ClinicalAnswer, { filter: { idChoice: choice.id }, limit: 200 })
  const remove = useRemove(ClinicalChoice)
  const given = new Map((answers.data?.items ?? []).map((one) => [one.idCriterion, one]))
  const all = criteria.data?.items ?? []
  return (
    <VStack gap={8}>
      <HStack justify="space-between">
        <strong>{name}</strong>
        <HStack>
          <Muted>
            Отвечено {given.size} из {all.length}
          </Muted>
          {mayAnswer && (
            <IconButton
              icon={IconTrash}
              label={`Убрать рекомендацию «${name}»`}
              onClick={() => remove.mutate(choice.id)}
            />
          )}
        </HStack>
      </HStack>
      <ol>
        {all.map((criterion) => (
          <Criterion
            key={`${criterion.id} ${given.get(criterion.id)?._version ?? 0}`}
            idChoice={choice.id}
            criterion={criterion}
            answer={given.get(criterion.id)}
            mayAnswer={mayAnswer}
          />
        ))}
      </ol>
    </VStack>
  )
}

interface CriterionProps {
  idChoice: number
  criterion: { id: number; text: string; kind: keyof typeof criterionKinds; trust: string | null; proof: string | null }
  answer: { id: number; result: ClinicalResult; reason: string | null } | undefined
  mayAnswer: boolean
}

/** A criterion: «yes» is saved at once, other answers with a reason. */
function Criterion({ idChoice, criterion, answer, mayAnswer }: CriterionProps) {
  const save = useSave(ClinicalAnswer, { toast: false })
  const [result, setResult] = useState<ClinicalResult | null>(answer?.result ?? null)
  const [reason, setReason] = useState(answer?.reason ?? '')
  const keep = (next: ClinicalResult, why: string) => {
    if (reasonLack(next, why)) return
    const body = { result: next, reason: next === 'yes' ? null : why.trim() }
    save.mutate(answer ? { id: answer.id, ...body } : { idChoice, idCriterion: criterion.id, ...body })
  }
  const levels = [criterion.trust && `УУР ${criterion.trust}`, criterion.proof && `УДД ${criterion.proof}`].filter(
    Boolean,
  )
  return (
    <Block component="li" py={8} rule="top">
      <Text>{criterion.text}</Text>
      <Fine>{[criterionKinds[criterion.kind], ...levels].join(', ')}</Fine>
      {mayAnswer ? (
        <HStack wrap mt={4} align="start">
          <SegmentedControl
            aria-label={`${criterion.text}: выполнен`}
            data={Object.entries(clinicalResults).map(([value, label]) => ({ value, label }))}
            value={result ?? ''}
            onChange={(value) => {
              setResult(value as ClinicalResult)
              keep(value as ClinicalResult, reason)
            }}
          />
          {result && result !== 'yes' && (
            <TextInput
              aria-label={`${criterion.text}: причина`}
              placeholder="Причина отступления"
              required
              maw={420}
              flex={1}
              error={answer?.result === result ? undefined : reasonLack(result, reason)}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              onBlur={() => reason !== (answer?.reason ?? '') && keep(result, reason)}
            />
          )}
        </HStack>
      ) : (
        <Muted>
          {answer ? [clinicalResults[answer.result], answer.reason].filter(Boolean).join(': ') : 'Нет ответа'}
        </Muted>
      )}
    </Block>
  )
}

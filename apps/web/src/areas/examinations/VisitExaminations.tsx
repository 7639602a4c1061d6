import { Anchor } from '@mantine/core'
import { Examination } from '@ordinator/model/areas/examinations/examination'
import { IconStethoscope } from '@tabler/icons-react'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'
import { StatusMark } from './ExaminationStatus.tsx'
import { NewExaminationDialog } from './NewExaminationDialog.tsx'

interface Props {
  idAppointment: number
  idCustomer: number
  /** An examination can be started: the patient has arrived. */
  mayBegin: boolean
}

/** Examinations of a visit, with a button to start one. */
export default function VisitExaminations({ idAppointment, idCustomer, mayBegin }: Props) {
  const go = useGo()
  const [making, setMaking] = useState(false)
  const mayView = useCan('view', Examination)
  const mayMake = useCan('create', Examination) && mayBegin
  const list = useList(
    Examination,
    { filter: { idAppointment }, fields: ['id', 'name', 'status'], limit: 20 },
    { forbidden: 'silent', enabled: mayView },
  )
  useRevealDelay(list.isLoading)
  const found = list.data?.items ?? []
  if (!mayView || (found.length === 0 && !mayMake)) return null
  return (
    <section aria-label="Осмотры">
      <h2>Осмотры</h2>
      <VStack gap={8} mt={8}>
        {found.map(({ id, name, status }) => (
          <HStack key={id} wrap>
            <Anchor inherit renderRoot={(props) => <PageLink {...props} page="examination" params={{ id }} />}>
              {name}
            </Anchor>
            <StatusMark status={status} />
          </HStack>
        ))}
        {mayMake && (
          <HStack>
            <ActionButton
              label="Начать осмотр"
              variant="default"
              icon={IconStethoscope}
              onClick={() => setMaking(true)}
            />
          </HStack>
        )}
      </VStack>
      {making && (
        <NewExaminationDialog
          idCustomer={idCustomer}
          idAppointment={idAppointment}
          onMade={(id) => void go({ page: 'examination', params: { id } })}
          onClose={() => setMaking(false)}
        />
      )}
    </section>
  )
}

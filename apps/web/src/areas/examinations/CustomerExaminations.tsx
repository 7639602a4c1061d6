import { Anchor } from '@mantine/core'
import { Examination } from '@ordinator/model/areas/examinations/examination'
import { formatDay } from '@ordinator/model/format'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ListStates } from '#kit/ListStates.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useEndlessList } from '#records/reads.ts'
import { StatusMark } from './ExaminationStatus.tsx'
import { NewExaminationDialog } from './NewExaminationDialog.tsx'

const PORTION = 30

/** Examinations of a patient, the newest first, with a button to start one. */
export default function CustomerExaminations({ idCustomer }: { idCustomer: number }) {
  const go = useGo()
  const [making, setMaking] = useState(false)
  const mayMake = useCan('create', Examination)
  const list = useEndlessList(
    Examination,
    {
      filter: { idCustomer },
      fields: ['id', 'name', 'date', 'status', 'diagnosis', 'number', 'correction'],
      expand: ['user'],
      limit: PORTION,
    },
    { forbidden: 'silent' },
  )
  const start = mayMake && (
    <ActionButton label="Новый осмотр" variant="default" icon={IconPlus} onClick={() => setMaking(true)} />
  )
  return (
    <VStack gap={16}>
      <ListStates
        list={list}
        failed="Осмотры не загрузились"
        empty={<EmptyState title="Осмотров нет" text="Здесь будет всё, что врачи нашли у клиента." action={start} />}
      >
        {(examinations, more) => (
          <>
            {start && <HStack>{start}</HStack>}
            <Block component="ul" framed aria-label="Осмотры">
              {examinations.map(({ id, name, date, status, diagnosis, number, correction, user }, at) => (
                <HStack key={id} component="li" gap="4px 12px" px={12} py={8} wrap rule={at ? 'top' : undefined}>
                  <span className="tabular">{formatDay(date)}</span>
                  <Block flex="1 1 260px" miw={0} className="breaks">
                    <Anchor inherit renderRoot={(props) => <PageLink {...props} page="examination" params={{ id }} />}>
                      {name}
                    </Anchor>
                    {number > 1 && <Fine> версия {number}</Fine>}
                    <Fine component="div">
                      {[diagnosis, correction && `исправление: ${correction}`].filter(Boolean).join(' · ')}
                    </Fine>
                  </Block>
                  {user && <UserLink user={user} />}
                  <StatusMark status={status} />
                </HStack>
              ))}
            </Block>
            {more}
          </>
        )}
      </ListStates>
      {making && (
        <NewExaminationDialog
          idCustomer={idCustomer}
          onMade={(id) => void go({ page: 'examination', params: { id } })}
          onClose={() => setMaking(false)}
        />
      )}
    </VStack>
  )
}

import { codeText } from '@ordinator/model/areas/eln/codes'
import { numberText } from '@ordinator/model/areas/eln/rules'
import { SickLeave } from '@ordinator/model/areas/eln/sickLeave'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ListStates } from '#kit/ListStates.tsx'
import { Block, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useEndlessList } from '#records/reads.ts'
import classes from './Eln.module.css'
import { DueMark, LeaveStatus } from './LeaveStatus.tsx'
import { daysText, spanText, useCodes } from './leave.ts'
import { NewLeaveDialog } from './NewLeaveDialog.tsx'

const PORTION = 20

/** Sick leaves of a patient, for the card. */
export default function CustomerSickLeaves({ idCustomer }: { idCustomer: number }) {
  const [making, setMaking] = useState(false)
  const codes = useCodes(undefined)
  const mayMake = useCan('create', SickLeave)
  const list = useEndlessList(SickLeave, { filter: { idCustomer }, expand: ['doctor'], limit: PORTION })
  const make = mayMake && <ActionButton label="Новый больничный лист" icon={IconPlus} onClick={() => setMaking(true)} />
  return (
    <VStack gap={12}>
      <ListStates
        list={list}
        failed="Листы не загрузились"
        empty={
          <EmptyState
            title="Больничных листов нет"
            text={mayMake ? SickLeave.registry?.empty.text : 'Их открывает врач.'}
            action={make || undefined}
          />
        }
      >
        {(leaves, more) => (
          <>
            {make && <div>{make}</div>}
            <Block component="ul" framed className={classes.sheets} aria-label="Больничные листы">
              {leaves.map(({ id, lnCode, dateFrom, dateTo, days, localStatus, due, reason, doctor }) => (
                <li key={id}>
                  <Block miw={0} className="breaks">
                    <PageLink page="sickLeave" params={{ id }}>
                      {lnCode ? numberText(lnCode) : 'Без номера'}
                    </PageLink>
                    <Fine component="div">
                      {codeText(codes?.reason, reason)}
                      {doctor && (
                        <>
                          {' · '}
                          <UserLink user={doctor} />
                        </>
                      )}
                    </Fine>
                  </Block>
                  <span className="tabular">
                    {spanText(dateFrom, dateTo)}
                    <Fine component="div">{days > 0 && daysText(days)}</Fine>
                  </span>
                  <DueMark due={due} />
                  <LeaveStatus status={localStatus} />
                </li>
              ))}
            </Block>
            {more}
          </>
        )}
      </ListStates>
      {making && <NewLeaveDialog idCustomer={idCustomer} onClose={() => setMaking(false)} />}
    </VStack>
  )
}

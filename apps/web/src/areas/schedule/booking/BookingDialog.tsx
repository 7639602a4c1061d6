import { Alert } from '@mantine/core'
import type { Slot } from '@ordinator/model/areas/visits/calls'
import type { ReactNode } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { slotText } from '../slots.ts'
import classes from './Booking.module.css'
import { type Booking, type BookingStep, bodyOf, bookingSteps, sameSlot } from './booking.ts'
import { CheckStep } from './CheckStep.tsx'
import { DoneStep } from './DoneStep.tsx'
import { ServicesStep } from './ServicesStep.tsx'
import { TimeStep } from './TimeStep.tsx'
import { type BookingProps, type Trouble, useBooking } from './useBooking.ts'
import { WhoStep } from './WhoStep.tsx'

/** The step of a booked visit. */
const DONE = 4

/** Books a visit for an unknown number in five steps, by keyboard only. */
export default function BookingDialog(props: BookingProps) {
  const { booking, step, go, busy, trouble, choose, ...state } = useBooking(props)
  const { filial, start, onClose } = props
  const { slot } = booking
  const placed = slot && { ...booking, slot }
  return (
    <Dialog title="Запись на приём" size={680} closeOnClickOutside={false} onClose={onClose}>
      <ol className={classes.steps}>
        {bookingSteps.map((name, at) => (
          <li key={name} className={classes.step} data-state={at < step ? 'done' : at === step ? 'now' : 'ahead'}>
            <div className={classes.name}>
              <span className={classes.number} aria-hidden>
                {at + 1}
              </span>
              <h3 aria-current={at === step ? 'step' : undefined}>{name}</h3>
              {at < step && <span className={classes.said}>{answerTo(at, booking)}</span>}
              {at < step && step < DONE && (
                <ActionButton
                  label="Изменить"
                  aria-label={`Изменить: ${name}`}
                  variant="subtle"
                  size="compact-sm"
                  onClick={() => go(at as BookingStep)}
                />
              )}
            </div>
            {at === step && (
              <div className={classes.body}>
                {trouble && <Refused trouble={trouble} chosen={slot} busy={busy} onChoose={choose} />}
                {step === 0 && (
                  <WhoStep
                    booking={booking}
                    left={state.left}
                    faults={state.faults}
                    onLeft={state.answerLeft}
                    onChange={state.changePatient}
                    onNext={state.goOn}
                    onPicked={(customer) => {
                      state.change({ customer, fresh: null })
                      state.goOn()
                    }}
                  />
                )}
                {step === 1 && (
                  <ServicesStep
                    services={booking.services}
                    isNew={booking.fresh !== null}
                    onChange={(services) => state.change({ services, slot: null, course: undefined })}
                    onNext={() => go(2)}
                  />
                )}
                {step === 2 && (
                  <TimeStep
                    idFilial={filial.id}
                    start={start}
                    services={booking.services}
                    chosen={slot}
                    busy={busy}
                    onChoose={choose}
                    onWait={state.wait}
                  />
                )}
                {step === 3 && placed && (
                  <CheckStep
                    booking={placed}
                    body={bodyOf(placed, booking.customer?.value)}
                    busy={busy}
                    onNote={(note) => state.change({ note })}
                    onReferrer={(idReferrer) => state.change({ idReferrer })}
                    onUnpaid={(unpaidReason) => state.change({ unpaidReason })}
                    onCourse={(course) => state.change({ course })}
                    onTaken={state.setTrouble}
                    onBook={state.book}
                  />
                )}
                {step === DONE && placed && state.made !== undefined && (
                  <DoneStep
                    id={state.made}
                    booking={placed}
                    onSpoken={props.onSpoken}
                    onAgain={state.again}
                    onClose={onClose}
                  />
                )}
              </div>
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

/** What was chosen in a former step. */
function answerTo(step: number, { customer, fresh, services, slot }: Booking): ReactNode {
  const newPatient = fresh && `${[fresh.surname, fresh.name].filter(Boolean).join(' ')}, новый пациент`
  return [customer?.label ?? newPatient, services.map(({ label }) => label).join(', '), slot && slotText(slot)][step]
}

interface RefusedProps {
  trouble: Trouble
  chosen: Booking['slot']
  busy: boolean
  onChoose: (slot: Slot) => void
}

/** A refused time with free ones to choose. */
const Refused = ({ trouble: { text, alternatives }, chosen, busy, onChoose }: RefusedProps) => (
  <Alert role="alert" color="red" variant="light" title={text} mb={12}>
    {alternatives.length > 0 && (
      <HStack wrap gap={6}>
        {alternatives.map((slot) => (
          <ActionButton
            key={slotText(slot)}
            label={slotText(slot)}
            size="compact-sm"
            variant="light"
            disabled={busy || sameSlot(slot, chosen)}
            onClick={() => onChoose(slot)}
          />
        ))}
      </HStack>
    )}
  </Alert>
)

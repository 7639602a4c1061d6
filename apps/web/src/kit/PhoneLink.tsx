import { phoneText } from '@ordinator/model/phone'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { createContext, use } from 'react'
import { CopyButton } from './CopyButton.tsx'
import { IconButton } from './IconButton.tsx'
import classes from './PhoneLink.module.css'

/** Dials a number (E.164) through the telephone exchange; null: the computer's `tel:` handler is used. */
export const DialContext = createContext<((phone: string) => void) | null>(null)

interface Props {
  /** E.164. */
  phone: string
  /** Without the copy button: for dense lists. */
  bare?: boolean
}

/** A phone number to call or copy. */
export function PhoneLink({ phone, bare }: Props) {
  const words = phoneText(phone)
  return (
    <span className={classes.phone}>
      <a {...useCallProps(phone)} title={`Позвонить: ${words}`} className={classes.number}>
        {words}
      </a>
      {!bare && (
        <CopyButton value={phone}>
          {({ copied, copy }) => (
            <IconButton
              icon={copied ? IconCheck : IconCopy}
              label={copied ? 'Скопировано' : `Скопировать: ${words}`}
              size={24}
              onClick={(event) => {
                event.stopPropagation()
                copy()
              }}
            />
          )}
        </CopyButton>
      )}
    </span>
  )
}

/** Link props for a phone number: calls through the exchange if there is one, else through the computer. */
export function useCallProps(phone: string) {
  const dial = use(DialContext)
  return {
    href: `tel:${phone}`,
    onClick: (event: { preventDefault(): void; stopPropagation(): void }) => {
      event.stopPropagation()
      if (!dial) return
      event.preventDefault()
      dial(phone)
    },
  }
}

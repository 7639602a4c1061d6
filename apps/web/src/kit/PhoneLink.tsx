import { CopyButton } from '@mantine/core'
import { phoneText } from '@ordinator/model/phone'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { createContext, use } from 'react'
import { IconButton } from './IconButton.tsx'
import classes from './PhoneLink.module.css'

/** What dials a number (E.164) by the telephone exchange; null: the computer's own way of phoning is asked. */
export const DialContext = createContext<((phone: string) => void) | null>(null)

interface Props {
  /** E.164. */
  phone: string
  /** Without the button that copies it: in a line where many stand. */
  bare?: boolean
}

/** A phone: press it and it is called, or take it elsewhere. */
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

/** Makes a link of whatever it is given to: the call goes by the exchange where one is there, else by the computer. */
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

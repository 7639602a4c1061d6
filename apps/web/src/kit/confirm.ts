/** A question to confirm before going on. */

export interface Question {
  /** Default 'Подтвердите действие'. */
  title?: string
  message: string
  /** Default 'Подтвердить'. */
  confirm?: string
  /** Default 'Отмена'. */
  cancel?: string
  /** Destructive: the button is red. */
  danger?: boolean
}

interface Asked {
  question: Question
  answer: (agreed: boolean) => void
}

let asked: Asked | undefined
const listeners = new Set<() => void>()

function setAsked(next: Asked | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}

/**
 * Asks in a dialog; resolves to true when confirmed. Use it only where the specification has a question, or without undo:
 * `if (await confirm({ message: 'Вы уверены, что хотите удалить этот шаг?', confirm: 'Удалить', danger: true }))`.
 */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) => {
    const mine: Asked = {
      question,
      answer: (agreed) => {
        if (asked === mine) setAsked(undefined)
        resolve(agreed)
      },
    }
    setAsked(mine)
  })
}

export const confirmState = {
  get: () => asked,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

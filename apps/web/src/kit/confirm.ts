/** Questions that need an answer before going on. */

export interface Question {
  /** 'Подтвердите действие' unless told. */
  title?: string
  message: string
  /** 'Подтвердить' unless told. */
  confirm?: string
  /** 'Отмена' unless told. */
  cancel?: string
  /** The answer destroys something: the button is red. */
  danger?: boolean
}

interface Asked {
  question: Question
  answer: (agreed: boolean) => void
}

let asked: Asked | undefined
const listeners = new Set<() => void>()

function become(next: Asked | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}

/**
 * Asks in a dialog; true when agreed. Only where the specification words a question, or where there is no undo:
 * `if (await confirm({ message: 'Вы уверены, что хотите удалить этот шаг?', confirm: 'Удалить', danger: true }))`.
 */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) => {
    const mine: Asked = {
      question,
      answer: (agreed) => {
        if (asked === mine) become(undefined)
        resolve(agreed)
      },
    }
    become(mine)
  })
}

export const confirmState = {
  get: () => asked,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

import { useEffect, useState } from 'react'

const PAUSE_MS = 300

/** A typed text, and its words once the typing pauses. */
export function useWords() {
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setWords(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, setTyped, words }
}

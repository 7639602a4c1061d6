/** A program for readInProcess that answers with the priority of its process. */
import { getPriority } from 'node:os'
import { answerReading } from '#platform/answerReading.ts'
import { sessionPriority } from './sessionPriority.ts'

answerReading((file) => ({ priority: getPriority(), session: sessionPriority(process.pid), bytes: file.length }))

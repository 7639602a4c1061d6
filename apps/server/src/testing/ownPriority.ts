/** A program for readInProcess that answers how its process is served. */
import { getPriority } from 'node:os'
import { answerReading } from '../platform/answerReading.ts'

answerReading((file) => ({ priority: getPriority(), bytes: file.length }))

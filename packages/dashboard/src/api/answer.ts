/** Answers of the service, as pages may show them. */

/** Embeddings, overrides and isolates: with them a name reads otherwise than it is stored, and so do the words after it. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** The JSON of an answer as pages show it, whoever typed its texts; undefined for what is no JSON. Rejects when it breaks off. */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text.replace(directions, ''))
  } catch {
    return undefined
  }
}

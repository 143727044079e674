// SPDX-License-Identifier: MIT
// One function's lines, before and after.
import { Ready } from "../../components/states";
import { useAnswer } from "../../context";
import { eventNames } from "../../events";
import { printable } from "../../format";
import * as requests from "../../requests";
import type { Annotation } from "../../schema";
import { FileTable } from "../source/lines";
import { filesOf } from "../source/listing";

function Side({ title, recording, name }: { title: string; recording: number; name: string }) {
  const outcome = useAnswer<Annotation>(requests.annotate(recording, name, null));
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <Ready outcome={outcome} missing={`No sample is in ${printable(name)} here.`}>
        {(answer) => (
          <>
            {filesOf(answer).map((file) => (
              <FileTable
                key={file.file ?? ""}
                file={file}
                events={eventNames(answer.events)}
                chosen=""
                places={new Map()}
                onChoose={() => undefined}
              />
            ))}
          </>
        )}
      </Ready>
    </section>
  );
}

interface Props {
  name: string;
  nameAfter: string;
  before: number;
  after: number;
}

export function LinesOf({ name, nameAfter, before, after }: Props) {
  return (
    <section class="panel chosen" aria-label="Lines before and after">
      <h2>
        <code>{printable(name)}</code>
      </h2>
      <div class="side-by-side">
        <Side title="Before" recording={before} name={name} />
        <Side title="After" recording={after} name={nameAfter} />
      </div>
    </section>
  );
}

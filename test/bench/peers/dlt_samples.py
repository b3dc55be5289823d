"""Loads samples from gzipped delivery files with dlt: dlt_samples.py DATABASE FILE…

Like Aorta, it keeps the newest version of each sample. Prints the number of samples.
"""

import gzip
import sys

import dlt
import orjson

database, *files = sys.argv[1:]


@dlt.resource(
    name="samples",
    write_disposition="merge",
    primary_key=["user_id", "provider", "source_type", "sampled_at"],
    columns={"received_at": {"dedup_sort": "desc"}},
)
def samples():
    for file in files:
        with gzip.open(file) as lines:
            for line in lines:
                delivery = orjson.loads(line)
                body = delivery["body"]
                source = body["data"]["source"]
                yield [
                    {
                        "user_id": body["user_id"],
                        "provider": source["provider"],
                        "source_type": source["type"],
                        "sampled_at": sample["timestamp"],
                        "timezone_offset": sample["timezone_offset"],
                        "unit": sample["unit"],
                        "value": sample["value"],
                        "received_at": delivery["received_at"],
                    }
                    for sample in body["data"]["data"]
                ]


pipeline = dlt.pipeline("bench", destination=dlt.destinations.duckdb(database), dataset_name="bench")
pipeline.run(samples())
with pipeline.sql_client() as client:
    print(client.execute_sql("select count(*) from samples")[0][0])
